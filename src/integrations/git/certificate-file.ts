import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tls from 'node:tls'

/** What names git's certificates already. */
const own = ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/**
 * A file with the authority that `NODE_EXTRA_CA_CERTS` names and all those that are trusted anyway: git trusts one file
 * only, and has to reach hosts of both kinds. Undefined when there is no such authority, or git has its own variable.
 */
export async function certificateFile(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const extra = environment['NODE_EXTRA_CA_CERTS']
  if (!extra || own.some((name) => environment[name])) return undefined
  // Node has warned about it when it cannot be read.
  const added = await readFile(extra, 'utf8').catch(() => undefined)
  if (added === undefined) return undefined
  const system = 'getCACertificates' in tls ? tls.getCACertificates('system') : []
  const text = [...new Set([...tls.rootCertificates, ...system, added])].join('\n')
  const path = join(
    folder,
    `certificates-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.pem`,
  )
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return path
  const draft = `${path}.${process.pid}.${performance.now()}`
  await writeFile(draft, text)
  await rename(draft, path)
  return path
}
