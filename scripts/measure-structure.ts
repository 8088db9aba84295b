/** Measures how simple the source is; `node scripts/measure-structure.ts` prints it, a test holds it to bounds that fall. */
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '..')

export interface Structure {
  /** Lines of `src`, scripts and styles of pages included, without tests. */
  lines: number
  /** Pairs of a folder’s files and folders that import each other, in `api` and `site`. */
  mutualImports: number
  /** What the composition root imports. */
  importsOfEndpoints: number
  /** Answers of the server that the terminal takes for what it says they are. */
  uncheckedAnswers: number
  /** Constants whose name is a participle that says nothing of the thing. */
  namelessConstants: number
  /** Files of `features/projects` that others import. */
  doorsOfProjects: number
  doorsOfConnections: number
  /** Files of nouns that others import, other nouns too. */
  doorsOfNouns: number
}

export async function measureStructure(): Promise<Structure> {
  const files = new Map<string, string>()
  for await (const file of glob('src/**/*.{ts,js,css}', { cwd: root }))
    if (!file.endsWith('.test.ts')) files.set(file, await readFile(join(root, file), 'utf8'))
  const code = [...files].filter(([file]) => file.endsWith('.ts'))
  const edges = code.flatMap(([file, text]) => importsOf(file, text).map((to) => [file, to] as const))
  const counted = (pattern: RegExp, isMeant: (file: string, text: string) => boolean = () => true) =>
    code.reduce((sum, [file, text]) => sum + (isMeant(file, text) ? text.split(pattern).length - 1 : 0), 0)
  // An endpoint that answers with JSON has a `context` as well.
  const isCommand = (file: string, text: string): boolean =>
    /^src\/(?:cli|nouns)\//.test(file) && !text.includes("api/endpoint.ts'")
  const doorsOf = (...modules: string[]) =>
    new Set(
      edges.flatMap(([from, to]) =>
        modules.some((module) => to.startsWith(module) && !from.startsWith(module)) ? [to] : [],
      ),
    ).size
  const nouns = new Set(code.flatMap(([file]) => /^src\/nouns\/[^/]+\//.exec(file)?.[0] ?? []))
  return {
    lines: [...files.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0),
    mutualImports: ['src/api', 'src/site'].reduce((sum, folder) => sum + mutual(folder, edges), 0),
    importsOfEndpoints: new Set(
      edges.filter(([from]) => from === 'src/start/endpoints.ts').map(([, to]) => to),
    ).size,
    uncheckedAnswers: counted(/\bjson<(?!T>)|\bcontext\.json\(/, isCommand),
    namelessConstants: counted(/\bconst (?:told|asked|shown|found|made|given)\b/),
    doorsOfProjects: doorsOf('src/features/projects/'),
    doorsOfConnections: doorsOf('src/features/connections/'),
    doorsOfNouns: doorsOf(...nouns),
  }
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
}

function mutual(folder: string, edges: readonly (readonly [string, string])[]): number {
  const part = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined
  const pairs = new Set(edges.map(([from, to]) => `${part(from)} ${part(to)}`))
  const isMutual = (pair: string) => {
    const [from = '', to = ''] = pair.split(' ')
    return from < to && !pair.includes('undefined') && pairs.has(`${to} ${from}`)
  }
  return [...pairs].filter(isMutual).length
}

if (import.meta.main) console.table(await measureStructure())
