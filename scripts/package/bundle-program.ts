import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown, type OutputAsset, type OutputChunk, type Plugin } from 'rolldown'
import { filesBeside } from './files-beside.ts'

/**
 * Makes JavaScript of the program in which all packages are, with the files that it reads beside it.
 * @param folder where it is written; its entry is `main.js`
 * @param copied gets what was copied: its name beside the bundle, and where it was
 */
export async function bundleProgram(
  { root, folder, target, banner, entries = {}, plugins = [] }: BundleOptions,
  copied: Map<string, string>,
): Promise<(OutputChunk | OutputAsset)[]> {
  // What is bundled for browsers is read from a folder by the code, and has to be there first.
  const scripts = join(root, 'scripts')
  for (const name of await readdir(scripts))
    if (/^bundle-.*\.ts$/.test(name)) await promisify(execFile)(process.execPath, [join(scripts, name)])

  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/main.ts', ...entries },
    platform: 'node',
    transform: { target },
    // Some packages have a form for old loaders as well, which cannot be bundled.
    resolve: { mainFields: ['module', 'main'] },
    // An addition to the PostgreSQL driver that is compiled on the machine: used only where somebody installed it.
    external: ['pg-native'],
    plugins: [...plugins, filesBeside({ root, folder }, copied)],
    onLog(level, log, handle) {
      // Packages' own matters.
      if (level === 'warn' && log.code !== 'UNRESOLVED_IMPORT') return
      handle(level, log)
    },
  })
  try {
    const { output } = await bundle.write({
      dir: folder,
      format: 'esm',
      // All in one folder, where files-beside.ts expects it.
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[name]-[hash].js',
      ...(banner !== undefined && { banner: (chunk) => (chunk.isEntry ? banner : '') }),
    })
    return output
  } finally {
    await bundle.close()
  }
}

interface BundleOptions {
  root: string
  folder: string
  /** The oldest Node that has to run it, such as `node20`. */
  target: string
  /** First line of what is started: the program and its threads. */
  banner?: string
  /** More that is started, beside `main.js`: names of files, and what each is made of. */
  entries?: Record<string, string>
  /** Before the one that keeps addresses of files working. */
  plugins?: Plugin[]
}
