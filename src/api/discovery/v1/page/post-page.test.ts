import { describe, expect, it } from 'vitest'
import { docsApp, fakeDocs } from '../../../../../tests/assistant-server.ts'

describe('POST /discovery/v1/page/{domain}', () => {
  const read = (path: unknown) =>
    docsApp(fakeDocs()).request('/discovery/v1/page/docs', {
      method: 'POST',
      body: JSON.stringify({ path }),
    })

  it.each([
    'guides/install',
    '/guides/install',
    'guides/install/',
    '/guides/install?q=1#linux',
    'guides/install.mdx',
    'guides/install.html',
    'guides/%69nstall',
    'http://DOCS.example.com/guides/install/#linux',
    'guides/install.md',
    '/guides/install#linux',
    'docs/guides/install.md',
    'guides%2Finstall',
    'https://docs.example.com/guides/install',
  ])('finds %s', async (path) => {
    const response = await read(path)
    expect(await response.json()).toEqual({
      path: 'guides/install',
      content: '# Installation\n\nRun `npm install thing`.',
    })
  })

  it.each([
    '/unknown',
    '../guides/install',
    'guides/../guides/install',
    'guides/%2e%2e/guides/install',
    '..\\..\\etc\\passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    'https://evil.example/guides/install',
    '//evil.example/guides/install',
    'ftp://docs.example.com/guides/install',
    '#linux',
    '?page=guides/install',
    '%00',
    '%zz',
  ])('says 404 to %s', async (path) => {
    const response = await read(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: expect.stringContaining('not found') })
  })

  it.each([undefined, 7, '', 'x'.repeat(1001), '\0'])('refuses %j', async (path) => {
    expect((await read(path)).status).toBe(400)
  })
})
