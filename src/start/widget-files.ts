import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { widgetNames, type ReadWidget, type WidgetFile, type WidgetName } from '../api/widget/get-widget.ts'
import { AppError } from '../lib/errors.ts'

const root = join(import.meta.dirname, '../..')
/** Stands in a checkout of the repository, but in no package. */
const script = join(root, 'scripts/bundle-widget.ts')
const bundler = join(root, 'node_modules/rolldown/package.json')

/** Reads the widget on first use. A checkout builds it then, so that it is never older than its source. */
export function createWidgetReader(): ReadWidget {
  let files: Promise<Map<string, WidgetFile>> | undefined
  return async (name) => {
    files ??= load()
    const file = (await files.catch(forget)).get(name)
    if (!file) throw new Error(`The widget has no file ${name}`)
    return file
  }
  function forget(error: unknown): never {
    files = undefined
    throw error
  }
}

async function load(): Promise<Map<string, WidgetFile>> {
  const texts = existsSync(script) && existsSync(bundler) ? await bundle() : await readBuilt()
  return new Map(await Promise.all([...texts].map(async ([name, text]) => [name, await pack(text)] as const)))
}

async function bundle(): Promise<Map<WidgetName, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--print'], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 60_000,
  })
  const texts = JSON.parse(stdout) as Record<WidgetName, string>
  return new Map(widgetNames.map((name) => [name, texts[name]]))
}

async function readBuilt(): Promise<Map<WidgetName, string>> {
  try {
    const texts = await Promise.all(
      widgetNames.map(async (name) => {
        const folder = new URL('../../dist/widget/', import.meta.url)
        return [name, await readFile(new URL(name, folder), 'utf8')] as const
      }),
    )
    return new Map(texts)
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'The widget is not built on this server. In a checkout, install the development packages too (npm ci), or run: node scripts/bundle-widget.ts',
      { cause },
    )
  }
}

async function pack(text: string): Promise<WidgetFile> {
  const content = new Uint8Array(Buffer.from(text))
  const [zipped, brotli] = await Promise.all([promisify(gzip)(content), promisify(brotliCompress)(content)])
  return {
    hash: createHash('sha256').update(content).digest('hex').slice(0, 12),
    content,
    gzip: new Uint8Array(zipped),
    brotli: new Uint8Array(brotli),
  }
}
