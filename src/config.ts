import { resolve } from 'node:path'
import { z } from 'zod'
import { isAddressRange } from './lib/address-list.ts'
import type { ChatApis } from './lib/chat-apis.ts'
import { AppError, messageOf } from './lib/errors.ts'
import { sentenceOf } from './lib/text/issue-sentence.ts'
import { readPostgresAddress, withParameters } from './store/postgres/address.ts'
import type { SigningKey } from './lib/signing-key.ts'
import {
  flag,
  optional,
  whole,
  httpUrl,
  baseUrl,
  publicUrl,
  listOf,
  key,
  byModel,
  headerList,
  secretKey,
  databaseUrl,
  signingKey,
} from './start/config-values.ts'
import { chatAddresses, chatApisAt } from './start/chat-addresses.ts'
import { withFiles } from './start/config-files.ts'
import type { PatienceSettings, PatternNumber } from './integrations/models/patience.ts'

/** Everything that can be set from outside; docs/operate/configuration.mdx says what it does. */
export interface Config {
  host: string
  /** undefined: 4000, or the next free one. 0: whichever is free. */
  port: number | undefined
  /** Where a worker answers for health and metrics; undefined: nowhere. */
  workerPort: number | undefined
  publicUrl: string | undefined
  dataFolder: string
  databaseUrl: string | undefined
  /** Used where neither project nor request names another. */
  model: string
  /** The assistant's own; undefined: the same. */
  assistantModel: string | undefined
  /** The fallback while another model is away. */
  fallbackModel: string | undefined
  /** Names or globs such as `openai:*` that projects and requests may choose; undefined: all with a key. */
  allowedModels: string[] | undefined
  /** Tokens that a model reads and writes in one call, by patterns of names. */
  modelWindows: readonly PatternNumber[]
  providers: ProviderConfig
  /** How long models are waited for, and how many calls they get at once. */
  patience: PatienceSettings
  /** Credentials for git hosts of projects that have none of their own, and sites that are surely of a kind. */
  gitHosts: GitHostConfig
  /** In a comment on a job's pull request, `@` and this word make it a message to the job. */
  mention: string
  /** Bytes of one mirror. */
  mirrorBytes: number
  /** Bytes of all mirrors together, above which those are dropped that were not used for long; undefined: no limit. */
  mirrorsBytes: number | undefined
  /** Bytes free on the disk of the data folder below which no work is taken. */
  minFreeBytes: number
  /** Seconds after which a process whose main thread stands still is ended; 0: never. */
  watchdogSeconds: number
  adminKey: string | undefined
  assistantKeys: { domain: string; key: string }[]
  trustedProxies: string[]
  /** Who makes commits, and the key that signs them; undefined: they are not signed. */
  committer: { name: string; email: string; signingKey: SigningKey | undefined }
  syncIntervalSeconds: number
  jobConcurrency: number
  jobMaxSteps: number
  jobMaxTokens: number | undefined
  /** US dollars. */
  jobMaxCost: number | undefined
  jobMaxMinutes: number
  /** Whether webhooks may also go to private addresses, and API descriptions are fetched from the web. */
  webhooksToPrivate: boolean
  fetchDescriptions: boolean
  chatApis: ChatApis
  /** Encrypts what is kept and must be read again, such as secrets of webhooks; undefined: a file of the data folder. */
  secretKey: Uint8Array | undefined
  /** The former key, which still decrypts what was encrypted with it. */
  previousSecretKey: Uint8Array | undefined
  /** Memory of the search indexes that one process keeps loaded. */
  indexBytes: number
  threadRetentionDays: number
  auditRetentionDays: number
  signIn: SignInConfig
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Where traces go; undefined: nowhere. */
  traces: { url: string; headers: Record<string, string>; service: string } | undefined
}

/** Keys and addresses of model providers, by the variables that their own tools read. */
interface ProviderConfig {
  anthropic: { key: string | undefined; url: string | undefined }
  openai: { key: string | undefined; url: string | undefined }
  google: { key: string | undefined; url: string | undefined }
  /** Any server with OpenAI's Chat Completions interface. */
  compatible: { key: string | undefined; url: string | undefined }
  openrouter: { key: string | undefined; url: string | undefined }
  ollama: { url: string | undefined }
}

/** By the variables that the hosts' own tools read. A token goes to its site alone; undefined: the public one. */
export interface GitHostConfig {
  github: { token: string | undefined; url: string | undefined }
  githubApp: { appId: string; privateKey: string } | undefined
  gitlab: { token: string | undefined; url: string | undefined }
  gitea: { token: string | undefined; url: string | undefined }
  bitbucket: { token: string | undefined }
}

interface SignInConfig {
  github: { clientId: string; clientSecret: string } | undefined
  /** `name` stands on the button. */
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined
}

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: optional(whole(0, 65_535)),
  DOCWRIGHT_WORKER_PORT: optional(whole(0, 65_535)),
  DOCWRIGHT_PUBLIC_URL: optional(publicUrl),
  DOCWRIGHT_DATA: z.string().default('./data'),
  DATABASE_URL: optional(databaseUrl),
  PGSSLMODE: optional(z.string()),
  PGSSLROOTCERT: optional(z.string()),
  PGSSLCERT: optional(z.string()),
  PGSSLKEY: optional(z.string()),
  DOCWRIGHT_MODEL: z.string().default('builtin'),
  DOCWRIGHT_ASSISTANT_MODEL: optional(z.string()),
  DOCWRIGHT_FALLBACK_MODEL: optional(z.string()),
  DOCWRIGHT_ALLOWED_MODELS: optional(z.string().transform(listOf)),
  DOCWRIGHT_MODEL_FIRST_TEXT_SECONDS: byModel(1, 3600),
  DOCWRIGHT_MODEL_ANSWER_SECONDS: byModel(1, 7200),
  DOCWRIGHT_MODEL_CALLS: byModel(1, 10_000),
  DOCWRIGHT_MODEL_WINDOWS: byModel(1024, 100_000_000),
  ANTHROPIC_API_KEY: optional(z.string()),
  ANTHROPIC_BASE_URL: optional(baseUrl),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(baseUrl),
  GOOGLE_GENERATIVE_AI_API_KEY: optional(z.string()),
  GEMINI_API_KEY: optional(z.string()),
  GOOGLE_GENERATIVE_AI_BASE_URL: optional(baseUrl),
  OPENAI_COMPATIBLE_API_KEY: optional(z.string()),
  OPENAI_COMPATIBLE_BASE_URL: optional(baseUrl),
  OPENROUTER_API_KEY: optional(z.string()),
  OPENROUTER_BASE_URL: optional(baseUrl),
  OLLAMA_BASE_URL: optional(baseUrl),
  GITHUB_TOKEN: optional(z.string()),
  GITHUB_URL: optional(baseUrl),
  DOCWRIGHT_GITHUB_APP_ID: optional(z.string().regex(/^[\w.-]{1,100}$/, 'must be the id of a GitHub App')),
  DOCWRIGHT_GITHUB_APP_KEY: optional(
    z
      .string()
      .refine((text) => text.includes('PRIVATE KEY'), 'must be the private key of the app, in PEM form'),
  ),
  GITLAB_TOKEN: optional(z.string()),
  GITLAB_URL: optional(baseUrl),
  GITEA_TOKEN: optional(z.string()),
  GITEA_URL: optional(baseUrl),
  BITBUCKET_TOKEN: optional(z.string()),
  DOCWRIGHT_MENTION: z
    .string()
    .regex(/^@?[\w-]{1,60}$/, 'must be one word of letters, digits, _ and -')
    .transform((word) => word.replace('@', ''))
    .default('docwright'),
  DOCWRIGHT_MIRROR_MAX_MB: whole(1, 10_000_000).default(4096),
  DOCWRIGHT_MIRRORS_MAX_MB: optional(whole(1, 100_000_000)),
  DOCWRIGHT_MIN_FREE_MB: whole(0, 100_000_000).default(64),
  DOCWRIGHT_WATCHDOG_SECONDS: whole(0, 86_400).default(60),
  DOCWRIGHT_ADMIN_KEY: optional(
    key('svc_').refine((value) => !value.startsWith('svc_dsc_'), 'is an assistant key'),
  ),
  DOCWRIGHT_ASSISTANT_KEYS: optional(
    z.string().transform((text, context) =>
      text.split(',').flatMap((pair) => {
        const [domain, value] = pair.trim().split('=')
        if (domain && value && key('svc_dsc_').safeParse(value).success) return [{ domain, key: value }]
        context.addIssue(
          'must be domain=key pairs separated by commas, the keys svc_dsc_ and 43 to 128 letters and digits',
        )
        return []
      }),
    ),
  ),
  DOCWRIGHT_TRUSTED_PROXIES: optional(
    z.string().transform((text, context) =>
      text.split(',').flatMap((item) => {
        if (isAddressRange(item.trim())) return [item.trim()]
        context.addIssue('must be IP addresses or CIDR ranges separated by commas')
        return []
      }),
    ),
  ),
  DOCWRIGHT_COMMIT_NAME: z
    .string()
    .regex(/^[^<>\n\0]+$/, 'must be a name without < and >')
    .default('Docwright'),
  DOCWRIGHT_COMMIT_EMAIL: z
    .string()
    .regex(/^[^<>\s\0][^<>\s\0@]*@[^<>\s\0]+$/, 'must be an email address')
    .default('docwright@localhost.invalid'),
  DOCWRIGHT_COMMIT_SIGNING_KEY: optional(signingKey),
  DOCWRIGHT_SYNC_INTERVAL: whole(1, 86_400).default(60),
  DOCWRIGHT_JOB_CONCURRENCY: whole(1, 64).default(2),
  DOCWRIGHT_JOB_MAX_STEPS: whole(1, 10_000).default(100),
  DOCWRIGHT_JOB_MAX_TOKENS: optional(whole(1, 1_000_000_000)),
  DOCWRIGHT_JOB_MAX_COST: optional(
    z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'must be a number of USD such as 2.50')
      .transform(Number),
  ),
  DOCWRIGHT_JOB_MAX_MINUTES: whole(1, 1440).default(60),
  ...chatAddresses,
  DOCWRIGHT_WEBHOOKS_TO_PRIVATE: flag,
  DOCWRIGHT_FETCH_API_DESCRIPTIONS: flag,
  DOCWRIGHT_SECRET_KEY: optional(secretKey),
  DOCWRIGHT_SECRET_KEY_PREVIOUS: optional(secretKey),
  DOCWRIGHT_INDEX_MEMORY_MB: whole(1, 1_048_576).default(512),
  DOCWRIGHT_THREAD_RETENTION_DAYS: whole(1, 36_500).default(90),
  DOCWRIGHT_AUDIT_RETENTION_DAYS: whole(1, 36_500).default(365),
  DOCWRIGHT_SIGN_IN_GITHUB_ID: optional(z.string()),
  DOCWRIGHT_SIGN_IN_GITHUB_SECRET: optional(z.string()),
  DOCWRIGHT_OIDC_ISSUER: optional(baseUrl),
  DOCWRIGHT_OIDC_CLIENT_ID: optional(z.string()),
  DOCWRIGHT_OIDC_CLIENT_SECRET: optional(z.string()),
  DOCWRIGHT_OIDC_NAME: z.string().max(60, 'must have at most 60 characters').default('single sign-on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(baseUrl),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(httpUrl),
  OTEL_EXPORTER_OTLP_HEADERS: optional(headerList),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: optional(headerList),
  OTEL_SERVICE_NAME: z.string().default('docwright'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/**
 * Reads the environment, the only place that does. `NAME_FILE` names a file that holds the value of `NAME`.
 * @throws AppError `invalid` that lists every problem at once, one line each
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { values, problems } = withFiles(environment, Object.keys(schema.shape))
  const result = schema.safeParse(values)
  if (!result.success) problems.push(...result.error.issues.map((issue) => sentenceOf(issue, (name) => name)))
  if (result.success) problems.push(...missingParts(result.data), ...tlsProblems(result.data))
  if (!result.success || problems.length > 0) throw new AppError('invalid', problems.join('\n'))
  const read = result.data
  const collector = read.OTEL_EXPORTER_OTLP_ENDPOINT
  const tracesUrl = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (collector && `${collector}/v1/traces`)
  return {
    host: read.HOST,
    port: read.PORT,
    workerPort: read.DOCWRIGHT_WORKER_PORT,
    publicUrl: read.DOCWRIGHT_PUBLIC_URL,
    dataFolder: resolve(read.DOCWRIGHT_DATA),
    databaseUrl: completeAddress(read),
    model: read.DOCWRIGHT_MODEL,
    assistantModel: read.DOCWRIGHT_ASSISTANT_MODEL,
    fallbackModel: read.DOCWRIGHT_FALLBACK_MODEL,
    allowedModels: read.DOCWRIGHT_ALLOWED_MODELS,
    modelWindows: read.DOCWRIGHT_MODEL_WINDOWS,
    providers: {
      anthropic: { key: read.ANTHROPIC_API_KEY, url: read.ANTHROPIC_BASE_URL },
      openai: { key: read.OPENAI_API_KEY, url: read.OPENAI_BASE_URL },
      google: {
        key: read.GOOGLE_GENERATIVE_AI_API_KEY ?? read.GEMINI_API_KEY,
        url: read.GOOGLE_GENERATIVE_AI_BASE_URL,
      },
      compatible: { key: read.OPENAI_COMPATIBLE_API_KEY, url: read.OPENAI_COMPATIBLE_BASE_URL },
      openrouter: { key: read.OPENROUTER_API_KEY, url: read.OPENROUTER_BASE_URL },
      ollama: { url: read.OLLAMA_BASE_URL },
    },
    patience: {
      firstText: read.DOCWRIGHT_MODEL_FIRST_TEXT_SECONDS,
      answer: read.DOCWRIGHT_MODEL_ANSWER_SECONDS,
      calls: read.DOCWRIGHT_MODEL_CALLS,
    },
    gitHosts: {
      github: { token: read.GITHUB_TOKEN, url: read.GITHUB_URL },
      githubApp:
        read.DOCWRIGHT_GITHUB_APP_ID === undefined || read.DOCWRIGHT_GITHUB_APP_KEY === undefined
          ? undefined
          : { appId: read.DOCWRIGHT_GITHUB_APP_ID, privateKey: read.DOCWRIGHT_GITHUB_APP_KEY },
      gitlab: { token: read.GITLAB_TOKEN, url: read.GITLAB_URL },
      gitea: { token: read.GITEA_TOKEN, url: read.GITEA_URL },
      bitbucket: { token: read.BITBUCKET_TOKEN },
    },
    mention: read.DOCWRIGHT_MENTION,
    mirrorBytes: read.DOCWRIGHT_MIRROR_MAX_MB * 1024 ** 2,
    mirrorsBytes:
      read.DOCWRIGHT_MIRRORS_MAX_MB === undefined ? undefined : read.DOCWRIGHT_MIRRORS_MAX_MB * 1024 ** 2,
    minFreeBytes: read.DOCWRIGHT_MIN_FREE_MB * 1024 ** 2,
    watchdogSeconds: read.DOCWRIGHT_WATCHDOG_SECONDS,
    adminKey: read.DOCWRIGHT_ADMIN_KEY,
    assistantKeys: read.DOCWRIGHT_ASSISTANT_KEYS ?? [],
    trustedProxies: read.DOCWRIGHT_TRUSTED_PROXIES ?? [],
    committer: {
      name: read.DOCWRIGHT_COMMIT_NAME,
      email: read.DOCWRIGHT_COMMIT_EMAIL,
      signingKey: read.DOCWRIGHT_COMMIT_SIGNING_KEY,
    },
    syncIntervalSeconds: read.DOCWRIGHT_SYNC_INTERVAL,
    jobConcurrency: read.DOCWRIGHT_JOB_CONCURRENCY,
    jobMaxSteps: read.DOCWRIGHT_JOB_MAX_STEPS,
    jobMaxTokens: read.DOCWRIGHT_JOB_MAX_TOKENS,
    jobMaxCost: read.DOCWRIGHT_JOB_MAX_COST,
    jobMaxMinutes: read.DOCWRIGHT_JOB_MAX_MINUTES,
    webhooksToPrivate: read.DOCWRIGHT_WEBHOOKS_TO_PRIVATE,
    fetchDescriptions: read.DOCWRIGHT_FETCH_API_DESCRIPTIONS,
    chatApis: chatApisAt(read),
    secretKey: read.DOCWRIGHT_SECRET_KEY,
    previousSecretKey: read.DOCWRIGHT_SECRET_KEY_PREVIOUS,
    indexBytes: read.DOCWRIGHT_INDEX_MEMORY_MB * 1024 ** 2,
    threadRetentionDays: read.DOCWRIGHT_THREAD_RETENTION_DAYS,
    auditRetentionDays: read.DOCWRIGHT_AUDIT_RETENTION_DAYS,
    signIn: signInOf(read),
    logLevel: read.LOG_LEVEL,
    traces:
      tracesUrl === undefined
        ? undefined
        : {
            url: tracesUrl,
            headers: { ...read.OTEL_EXPORTER_OTLP_HEADERS, ...read.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
            service: read.OTEL_SERVICE_NAME,
          },
  }
}

// As the programs of PostgreSQL do, which read these variables for what the address leaves out.
function completeAddress(read: z.output<typeof schema>): string | undefined {
  if (read.DATABASE_URL === undefined) return undefined
  return withParameters(read.DATABASE_URL, {
    sslmode: read.PGSSLMODE,
    sslrootcert: read.PGSSLROOTCERT,
    sslcert: read.PGSSLCERT,
    sslkey: read.PGSSLKEY,
  })
}

// What the variables add must fit what the address says.
function tlsProblems(read: z.output<typeof schema>): string[] {
  const address = completeAddress(read)
  try {
    if (address !== undefined) readPostgresAddress(address)
    return []
  } catch (error) {
    return [`DATABASE_URL with PGSSLMODE, PGSSLROOTCERT, PGSSLCERT and PGSSLKEY ${messageOf(error)}`]
  }
}

/** Variables that make sense only together. */
const together = [
  ['DOCWRIGHT_SIGN_IN_GITHUB_ID', 'DOCWRIGHT_SIGN_IN_GITHUB_SECRET'],
  ['DOCWRIGHT_OIDC_ISSUER', 'DOCWRIGHT_OIDC_CLIENT_ID', 'DOCWRIGHT_OIDC_CLIENT_SECRET'],
] as const

function missingParts(read: z.output<typeof schema>): string[] {
  return together.flatMap((names) => {
    const missing = names.filter((name) => read[name] === undefined)
    if (missing.length === 0 || missing.length === names.length) return []
    return missing.map(
      (name) =>
        `${name} must be set too, because ${names.filter((one) => one !== name).join(' and ')} need it`,
    )
  })
}

function signInOf(read: z.output<typeof schema>): SignInConfig {
  const {
    DOCWRIGHT_SIGN_IN_GITHUB_ID: githubId,
    DOCWRIGHT_SIGN_IN_GITHUB_SECRET: githubSecret,
    DOCWRIGHT_OIDC_ISSUER: issuer,
    DOCWRIGHT_OIDC_CLIENT_ID: clientId,
    DOCWRIGHT_OIDC_CLIENT_SECRET: clientSecret,
    DOCWRIGHT_OIDC_NAME: name,
  } = read
  return {
    github:
      githubId === undefined || githubSecret === undefined
        ? undefined
        : { clientId: githubId, clientSecret: githubSecret },
    oidc:
      issuer === undefined || clientId === undefined || clientSecret === undefined
        ? undefined
        : { issuer, clientId, clientSecret, name },
  }
}
