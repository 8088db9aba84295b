/**
 * Bundles the widget: `widget.js` for a script tag, `widget.mjs` for sites that bundle modules themselves.
 *
 *   node scripts/bundle-widget.ts [folder]   (dist/widget when none is named; --print writes both to standard output)
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'

const root = resolve(import.meta.dirname, '..')

/** Style sheets become texts, without what browsers do not read. */
const styleSheets: Plugin = {
  name: 'style-sheets',
  async load(id) {
    if (!id.endsWith('.css')) return null
    const css = (await readFile(id, 'utf8'))
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,]) ?/g, '$1')
      .replaceAll(/: /g, ':')
      .replaceAll(';}', '}')
      .trim()
    return { code: `export default ${JSON.stringify(css)}`, moduleType: 'js' }
  },
}

const entries = [
  { name: 'widget.js', input: 'web/widget/script.ts', format: 'iife' },
  { name: 'widget.mjs', input: 'web/widget/module.ts', format: 'esm' },
] as const

export async function bundleWidget(): Promise<Map<string, string>> {
  const files = await Promise.all(
    entries.map(async ({ name, input, format }) => {
      const bundle = await rolldown({
        input: join(root, input),
        platform: 'browser',
        tsconfig: false,
        transform: { target: 'es2022' },
        plugins: [styleSheets],
        logLevel: 'silent',
      })
      const { output } = await bundle.generate({ format, minify: true })
      await bundle.close()
      return [name, output[0].code] as const
    }),
  )
  return new Map(files)
}

if (import.meta.main) {
  const [target = join(root, 'dist/widget')] = process.argv.slice(2)
  const files = await bundleWidget()
  if (target === '--print') process.stdout.write(JSON.stringify(Object.fromEntries(files)))
  else await mkdir(target, { recursive: true })
  if (target !== '--print') for (const [name, code] of files) await writeFile(join(target, name), code)
}
