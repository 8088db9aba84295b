import { expect, it } from 'vitest'
import { serverEnvironment } from './server-environment.ts'

it('passes on models and the machine, and nothing by which a job could be published', () => {
  const kept = {
    PATH: '/bin',
    HTTPS_PROXY: 'http://proxy',
    ANTHROPIC_API_KEY: 'k',
    OPENAI_API_KEY_FILE: '/k',
    DOCWRIGHT_MODEL: 'anthropic:m',
    DOCWRIGHT_MODEL_CALLS: '4',
    DOCWRIGHT_JOB_MAX_STEPS: '50',
  }
  const withheld = [
    'GITHUB_TOKEN',
    'GITHUB_TOKEN_FILE',
    'GITLAB_TOKEN',
    'GITEA_TOKEN',
    'BITBUCKET_TOKEN',
    'DATABASE_URL',
    'DATABASE_URL_FILE',
    'PGHOST',
    'HOST',
    'PORT',
    'DOCWRIGHT_DATA',
    'DOCWRIGHT_PUBLIC_URL',
    'DOCWRIGHT_ADMIN_KEY',
    'DOCWRIGHT_GITHUB_APP_KEY',
    'DOCWRIGHT_FALLBACK_MODEL',
    'DOCWRIGHT_ALLOWED_MODELS',
    'DOCWRIGHT_OIDC_CLIENT_SECRET',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ]
  const given = { ...kept, ...Object.fromEntries(withheld.map((name) => [name, 'x'])) }
  expect(serverEnvironment(given, 3)).toEqual({ ...kept, DOCWRIGHT_JOB_CONCURRENCY: '3', LOG_LEVEL: 'error' })
})
