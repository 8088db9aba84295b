import { AppError } from '../../lib/errors.ts'
import { decoded } from '../../lib/text/decoded.ts'

/** What DATABASE_URL says, read as libpq reads it. */
export interface PostgresAddress {
  /** At least one, in the order in which to try them; no host: the one of PGHOST, or localhost. */
  hosts: { host: string | undefined; port: number | undefined }[]
  user: string | undefined
  password: string | undefined
  database: string | undefined
  tls: TlsSettings
  applicationName: string
  /** Options for the server, such as `-c search_path=docs`. */
  options: string | undefined
  channelBinding: boolean
}

/** Paths of files are read at each connection, so that a renewed certificate is used without a restart. */
export interface TlsSettings {
  mode: 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full'
  /** `system`: the authorities that Node trusts. */
  rootCertificate: string | undefined
  certificate: string | undefined
  key: string | undefined
  keyPassword: string | undefined
  direct: boolean
}

/**
 * Reads a `postgres://` address, also with several hosts, with the folder of a socket, and with most characters of a
 * password as they are.
 * @throws AppError `invalid` that says how to write it, without the name of the setting, and never with the password
 */
export function readPostgresAddress(text: string): PostgresAddress {
  const [, body] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text) ?? refuse('must be a postgres:// address')
  const [, authority = '', path = '', query = ''] =
    /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(body ?? '') ?? []
  // A password ends early at an unescaped `/` or `?`. The rest of it, with the `@`, is then in the path or the parameters.
  if (path.includes('@') || (query.includes('@') && !query.includes('='))) refuse(escapeAdvice)
  const at = authority.lastIndexOf('@')
  const [user, ...password] = authority.slice(0, Math.max(at, 0)).split(':')
  const parameters = parametersOf(query)
  const parameter = (name: string): string | undefined => parameters.get(name) || undefined
  const names = parameter('host')?.split(',')
  const hosts = (names?.map((host) => ({ host, port: undefined })) ??
    authority
      .slice(at + 1)
      .split(',')
      .map(hostOf)) satisfies PostgresAddress['hosts']
  return {
    hosts: withPorts(hosts, parameter('port')),
    user: parameter('user') ?? (withoutEscapes(user ?? '') || undefined),
    password: parameter('password') ?? (withoutEscapes(password.join(':')) || undefined),
    database: parameter('dbname') ?? (withoutEscapes(path) || undefined),
    tls: tlsOf(parameter),
    applicationName: parameter('application_name') ?? 'docwright',
    options: parameter('options'),
    channelBinding: ['prefer', 'require'].includes(parameter('channel_binding') ?? ''),
  }
}

/** Adds what the variables of libpq say, for parameters that the address leaves out. */
export function withParameters(address: string, parameters: Record<string, string | undefined>): string {
  const has = parametersOf(address.split('?')[1] ?? '')
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || has.has(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return added.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${added.join('&')}`
}

const escapeAdvice =
  'cannot be read. If the user or the password has one of these characters, write / as %2F, ? as %3F, : as %3A, @ as %40 and % as %25'

/** Parameters of libpq that ask for something that is not done here. */
const refused: Record<string, string> = {
  hostaddr: 'name the host in the address instead',
  service: 'write its settings into the address',
  passfile:
    'put the password into the address, or the whole address into a file that DATABASE_URL_FILE names',
  sslcrl: 'lists of revoked certificates are not read',
  sslcrldir: 'lists of revoked certificates are not read',
  require_auth: 'the server decides how it asks for the password',
  schema: 'write options=-csearch_path%3DNAME, or set the search_path of the user',
}

function parametersOf(query: string): Map<string, string> {
  const read = new Map<string, string>()
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=')
    if (value.length === 0) refuse(escapeAdvice)
    read.set(withoutEscapes(name), withoutEscapes(value.join('=')))
  }
  for (const [name, advice] of Object.entries(refused))
    if (read.has(name)) refuse(`has the parameter ${name}, which is not supported: ${advice}`)
  return read
}

function hostOf(text: string): { host: string | undefined; port: number | undefined } {
  const [, address, name, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? refuse(escapeAdvice)
  return { host: withoutEscapes(address ?? name ?? '') || undefined, port: portOf(port ?? '') }
}

function withPorts(hosts: PostgresAddress['hosts'], text: string | undefined): PostgresAddress['hosts'] {
  if (text === undefined) return hosts
  const ports = text.split(',')
  if (ports.length !== 1 && ports.length !== hosts.length)
    refuse(`has ${hosts.length} hosts and ${ports.length} ports: write one port, or one for each host`)
  return hosts.map(({ host }, n) => ({ host, port: portOf(ports[n] ?? ports[0] ?? '') }))
}

function portOf(text: string): number | undefined {
  if (text === '') return undefined
  const port = Number(text)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : refuse('has a port that is no port')
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

function tlsOf(given: (name: string) => string | undefined): TlsSettings {
  const [certificate, key] = [given('sslcert'), given('sslkey')]
  if ((certificate === undefined) !== (key === undefined))
    refuse('needs both sslcert and sslkey: the certificate of this client, and its key')
  const attributes = given('target_session_attrs') ?? 'any'
  if (!['any', 'read-write', 'primary'].includes(attributes))
    refuse(`has target_session_attrs=${attributes}, but Docwright writes: use read-write`)
  return {
    mode: modeOf(given),
    rootCertificate: given('sslrootcert'),
    certificate,
    key,
    keyPassword: given('sslpassword'),
    direct: given('sslnegotiation') === 'direct',
  }
}

function modeOf(given: (name: string) => string | undefined): TlsSettings['mode'] {
  const root = given('sslrootcert')
  const ssl = given('ssl')
  const text = given('sslmode') ?? (ssl && (sslModes[ssl] ?? ssl))
  // As libpq does: authorities that the system trusts are only of use with the name of the host.
  if (text === undefined) return root === 'system' ? 'verify-full' : 'prefer'
  // No mode of libpq, but usual among programs for Node.
  if (text === 'no-verify') return 'require'
  const mode = modes.find((one) => one === (text === 'allow' ? 'prefer' : text))
  if (mode === undefined) return refuse(`has sslmode=${text}: use one of ${modes.join(', ')}`)
  if (root === 'system' && mode !== 'verify-full')
    refuse('has sslrootcert=system, which needs sslmode=verify-full')
  // Whoever names an authority wants it to be asked.
  return mode === 'require' && root !== undefined ? 'verify-ca' : mode
}

/** `ssl=`, as other drivers have it. */
const sslModes: Record<string, string> = {
  true: 'require',
  '1': 'require',
  false: 'disable',
  '0': 'disable',
}

// A % that begins no escaped character stands for itself.
function withoutEscapes(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => decoded(escaped))
}

function refuse(message: string): never {
  throw new AppError('invalid', message)
}
