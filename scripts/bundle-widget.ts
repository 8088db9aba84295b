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

/**
 * The package of marked is one file whose end ties everything to one function, so that nothing can be left out. Of it
 * the widget needs only the lexer. Where another version is written otherwise, the whole package is taken, which the
 * test of the widget's size would notice.
 */
const onlyLexer: Plugin = {
  name: 'only-lexer',
  async load(id) {
    if (!id.endsWith('/marked/lib/marked.esm.js')) return null
    const code = await readFile(id, 'utf8')
    const name = /export\{[^}]*?([\w$]+) as Lexer\b/.exec(code)?.[1]
    const end = /;var [\w$]+=new [\w$]+;function [\w$]+\([\w$,]+\)\{return [\w$]+\.parse\(/.exec(code)?.index
    if (name === undefined || end === undefined) return code
    return `${code.slice(0, end)};export{${name} as Lexer}`
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
        plugins: [styleSheets, onlyLexer],
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
