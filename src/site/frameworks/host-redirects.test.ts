import { describe, expect, it } from 'vitest'
import { createSite } from './create-site.ts'

async function redirectsOf(
  files: Readonly<Record<string, string>>,
  root = '',
): Promise<Record<string, string>> {
  const site = await createSite(async (path) => files[path], { paths: Object.keys(files), root })
  return Object.fromEntries(site.redirects)
}

const press = {
  'docs/.vitepress/config.ts': 'export default { cleanUrls: true }\n',
  'docs/index.md': '# Home\n',
  'docs/new.md': '# New\n',
}

describe('redirects that the host of a site keeps', () => {
  it('are read from a list of lines', async () => {
    const list =
      '# moved\n/old  /new  301\n/blog/*  /news/:splat\n/app/* /index.html 200\n/de /german 302 Language=de\n'
    expect(await redirectsOf({ ...press, 'docs/public/_redirects': list }, 'docs')).toEqual({
      '/old': '/new',
      '/blog/*': '/news/*',
    })
  })

  it('are read from the settings of Netlify', async () => {
    const toml =
      '[build]\ncommand = "x"\n\n[[redirects]]\nfrom = "/old"\nto = "/new"\nstatus = 301\n\n[[redirects]]\nfrom = "/x"\nto = "/y"\nconditions = {Country = ["us"]}\n'
    expect(await redirectsOf({ ...press, 'netlify.toml': toml }, 'docs')).toEqual({ '/old': '/new' })
  })

  it('are read from the settings of Vercel', async () => {
    const json = JSON.stringify({
      redirects: [
        { source: '/old', destination: '/new', permanent: true },
        { source: '/a/:path*', destination: '/b/:path*' },
      ],
      headers: [],
    })
    expect(await redirectsOf({ ...press, 'vercel.json': json }, 'docs')).toEqual({
      '/old': '/new',
      '/a/*': '/b/*',
    })
  })

  it('let a link to a former address lead to its page', async () => {
    const files = { ...press, 'docs/public/_redirects': '/old /new\n' }
    const site = await createSite(async (path) => files[path as keyof typeof files], {
      paths: Object.keys(files),
      root: 'docs',
    })
    expect(site.resolveLink('docs/index.md', '/old')).toMatchObject({
      kind: 'page',
      path: 'docs/new.md',
      redirected: true,
    })
  })

  it('are none in a file that cannot be read', async () => {
    expect(await redirectsOf({ ...press, 'vercel.json': '{"redirects": [' }, 'docs')).toEqual({})
  })
})
