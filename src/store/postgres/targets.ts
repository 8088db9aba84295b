import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { AppError, messageOf } from '../../lib/errors.ts'
import { sqlState } from '../store-trouble.ts'
import type { PostgresAddress, TlsSettings } from './address.ts'

export type Target = Pick<ClientConfig, 'host' | 'port' | 'ssl'>

/** Where new connections go: one host of several, with TLS or without. */
export interface Targets {
  /** The current one. @throws AppError when a file of the address cannot be read */
  current(): { index: number; target: Target }
  /** Notes that the target of this index failed: the next one is current, unless another caller has noted it. */
  failed(index: number, error: unknown): void
}

export function createTargets({ hosts, tls }: PostgresAddress): Targets {
  const all = hosts.flatMap(({ host, port }) =>
    // A socket of this machine has no TLS.
    waysOf(host?.startsWith('/') ? 'disable' : tls.mode).map((way) => ({ host, port, way })),
  )
  let now = 0
  return {
    current() {
      const { host, port, way } = all[now] ?? {}
      return { index: now, target: { host, port, ssl: way === 'tls' ? tlsOptions(tls) : false } }
    },
    failed(index, error) {
      if (index !== now) return
      const isFallback = all[index + 1]?.way === 'plain instead'
      now = (index + (isFallback && !wantsNoTls(error) ? 2 : 1)) % all.length
    },
  }
}

type Way = 'tls' | 'plain' | 'plain instead'

function waysOf(mode: TlsSettings['mode']): Way[] {
  if (mode === 'disable') return ['plain']
  return mode === 'prefer' ? ['tls', 'plain instead'] : ['tls']
}

// The server offers none, or refuses whoever comes with it.
function wantsNoTls(error: unknown): boolean {
  return sqlState(error) === '28000' || messageOf(error).includes('does not support SSL')
}

function tlsOptions(tls: TlsSettings): ConnectionOptions {
  const { mode, rootCertificate, certificate, key, keyPassword } = tls
  const verifies = mode === 'verify-ca' || mode === 'verify-full'
  return {
    rejectUnauthorized: verifies,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(verifies &&
      rootCertificate !== undefined &&
      rootCertificate !== 'system' && { ca: readFile('sslrootcert', rootCertificate) }),
    ...(certificate !== undefined && { cert: readFile('sslcert', certificate) }),
    ...(key !== undefined && { key: readFile('sslkey', key) }),
    ...(keyPassword !== undefined && { passphrase: keyPassword }),
  }
}

function readFile(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new AppError(
      'unavailable',
      `The file of ${parameter}, ${path}, cannot be read: ${messageOf(error)}; correct the path or its permissions`,
      { cause: error },
    )
  }
}
