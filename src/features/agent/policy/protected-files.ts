import { decodeExact } from '../../../site/text/text-file.ts'
import { endOf, openYaml, pairOf, startOf } from '../../../site/text/yaml-source.ts'
import { isMap, isSeq, parse } from 'yaml'
import { isRecord } from '../../../lib/is-record.ts'
import { readText } from '../../../site/text/encoding.ts'
import { resolvePath } from '../../../site/text/paths.ts'
import type { BaseSite, Violation } from './parts/text-parts.ts'
import type { FileDifference } from '../workspace/workspace.ts'
import { readJson } from './parts/data-parts.ts'

import { isGitName } from '../../../site/text/repository-path.ts'

/** Never written, whatever a project allows: it steers git, builds or releases, or is made by a tool. */
export function isLocked(path: string): boolean {
  const names = path.toLowerCase().split('/')
  const file = names.at(-1) ?? ''
  const isGit = (name: string) =>
    isGitName(name) || (name.startsWith('.git') && !/^\.gitbook\.ya?ml$/.test(name))
  if (names.some((name) => isGit(name) || lockedNames.has(name))) return true
  if (names.at(-2) === 'requirements' && /\.(?:txt|in)$/.test(file)) return true
  // A page about a Dockerfile is a page.
  return lockedFile.test(file) && !/[^.]\.(?:mdx?|markdown|rst|adoc)$/.test(file)
}

/** Settings of tools and instructions to other agents: only what a project allows by name. */
export function isSettings(path: string): boolean {
  const names = path.toLowerCase().split('/')
  const file = names.at(-1) ?? ''
  if (names.some((name) => name.startsWith('.') && !orderFile.test(name))) return true
  if (
    settingsFile.test(file) ||
    instructions.test(path) ||
    instructionsAtTop.test(path) ||
    hostFile.test(path)
  )
    return true
  if (names.slice(0, -1).some((name) => settingsFolders.has(name))) return true
  if (!/\.(?:jsonc?|ya?ml|toml)$/.test(file)) return false
  // At the top of a repository data files belong to tools, but for descriptions of an API.
  if (names.length === 1) return !/openapi|swagger|asyncapi/.test(file)
  return names.length > 1 && toolFolders.has(names[0] ?? '')
}

/** Made to hold secrets: an agent need not know what is in it. Examples of such files are there to be read. */
export function holdsSecrets(path: string): boolean {
  const plain = path.toLowerCase()
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  if (/example|sample|template|\.dist$|\.pub$/.test(name)) return false
  if (secretFile.test(name) || /(?:^|\/)\.(?:ssh|aws|gnupg|kube|docker|secrets?)\//.test(plain)) return true
  // What an API says of credentials is no secret, and a translation neither.
  const isShown =
    /(?:^|\/)(?:apis?|openapi|reference|paths|schemas|components|i18n|locales?|translations)\//.test(plain)
  return !isShown && /^(?:credentials(?:\.json)?|secrets?\.(?:ya?ml|json|toml))$/.test(name)
}

/** What is written by people as documentation, and its data. */
export function isDocumentation(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdown|txt|rst|adoc|json|jsonc|ya?ml|csv)$/.test(path.toLowerCase())
}

const secretFile =
  /^(?:\.env(?:rc|\..+)?|.+\.env|\.dev\.vars|\.npmrc|\.yarnrc|\.netrc|_netrc|\.pypirc|\.dockercfg|\.boto|\.s3cfg|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.vault_pass.*|kubeconfig|secrets?\.env|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|keytab|ovpn|tfstate(?:\.backup)?|tfvars|tfvars\.json)|service-account.*\.json)$/

const lockedNames = new Set([
  '.docwright',
  '.circleci',
  '.forgejo',
  '.azuredevops',
  '.tekton',
  '.harness',
  '.builds',
  '.teamcity',
  '.prow',
  '.mergify',
  '.lefthook',
  '.husky',
  '.buildkite',
  '.woodpecker',
  '.semaphore',
  '.azure-pipelines',
  '.devcontainer',
  '.vscode',
  '.idea',
  '.cargo',
  '.yarn',
  '.mvn',
  '.config',
  '.cursor',
  '.claude',
  '.windsurf',
  '.clinerules',
  '.roo',
  '.kiro',
  '.codex',
  '.gemini',
  '.opencode',
  'node_modules',
])

const lockedFile = new RegExp(
  `^(?:${[
    // Pipelines and hosts
    String.raw`\.?(?:gitlab-ci|travis|drone|appveyor|woodpecker|cirrus|circle|semaphore|wercker|bitrise|codeship-.*|pre-commit-config|readthedocs|goreleaser|buildkite|mergify|lefthook(?:-local)?)\.ya?ml|.+\.gitlab-ci\.ya?ml`,
    String.raw`(?:azure-pipelines|cloudbuild|buildspec|appspec|serverless)(?:[-_.].*)?\.(?:ya?ml|json)`,
    String.raw`(?:bitbucket-pipelines|action|skaffold|codefresh|dependabot|netlify)\.ya?ml|.+\.gocd\.ya?ml`,
    String.raw`\.?drone\.(?:ya?ml|jsonnet|star)|owners(?:_aliases)?|bors\.toml`,
    String.raw`(?:vercel|firebase|railway|wrangler|netlify)\.jsonc?`,
    String.raw`(?:netlify|fly|wrangler|railway|nixpacks)\.toml`,
    String.raw`renovate\.json5?|renovaterc(?:\.json5?)?`,
    String.raw`(?:jenkinsfile|makefile|gnumakefile|justfile|rakefile|gemfile|procfile|vagrantfile|dockerfile|containerfile|codeowners|earthfile|tiltfile|podfile|brewfile|dangerfile|fastfile)(?:\..*)?`,
    String.raw`(?:docker-compose|compose)(?:\..*)?\.ya?ml|taskfile(?:\.dist)?\.ya?ml|cmakelists\.txt`,
    String.raw`.+\.(?:dockerfile|mk|tf|tf\.json|gradle|bazel|nix|code-workspace)|pom\.xml`,
    // Packages
    String.raw`package\.json|deno\.jsonc?|jsr\.jsonc?|bunfig\.toml|composer\.json|bower\.json|lerna\.json|pnpm-workspace\.ya?ml|cargo\.toml|pyproject\.toml|pipfile|go\.(?:mod|sum|work)|setup\.(?:py|cfg)|tox\.ini|(?:uv|pixi|mise)\.toml|pubspec\.ya?ml|mix\.exs|shard\.ya?ml|environment\.ya?ml|conda.*\.ya?ml`,
    String.raw`(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)|constraints\.txt|runtime\.txt`,
    String.raw`.*[-.]lock(?:\.(?:json|ya?ml))?|.*-lock\.(?:json|ya?ml)|.*\.lockb|npm-shrinkwrap\.json`,
    // Secrets
    String.raw`\.env.*|\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnp\..*|\.pnpmfile\..*|\.netrc|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks)`,
    // Programs
    String.raw`.*\.(?:exe|dll|so|dylib|jar|wasm|class|pyc|bat|cmd|ps1)`,
  ].join('|')})$`,
)

const settingsFile =
  /^(?:(?:app|render|fly|heroku|amplify|customhttp|codemagic|koyeb|devfile|catalog-info|pulumi(?:\..+)?)\.ya?ml|(?:app|now|amplify|zeabur|_routes|release-please-config)\.json|_(?:app|document)\.mdx?|tsconfig.*\.json|jsconfig.*\.json|turbo\.json|nx\.json|project\.json|angular\.json|workspace\.json|rush\.json|babel\.config\.json|nodemon\.json|biome\.jsonc?|dprint\.json|tslint\.json|cypress\.json|capacitor\.config\.json|eas\.json|_config\.ya?ml|book\.json|chart\.ya?ml|kustomization\.ya?ml|values\.ya?ml|template\.ya?ml|samconfig\.(?:toml|ya?ml)|codecov\.ya?ml|(?:mkdocs|properdocs|_quarto|myst|redocly|hugo|antora|antora-playbook|lefthook|crowdin|retype|docfx)\.(?:ya?ml|jsonc?|toml)|(?:docs|mint|typedoc|openapitools|cspell|docker-bake|tasks|launch|mcp|opencode|components|vercel|now|claude_desktop_config|assetlinks)\.jsonc?|(?:robots|ads|app-ads|security)\.txt|.*rc\.(?:jsonc?|ya?ml)|.*\.config\.(?:jsonc?|ya?ml))$/
// In capitals anywhere, as the tools want them; at the top however they are written.
const instructions =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|QWEN|WARP|CRUSH|CODEX|CONVENTIONS)(?:\.(?:override|local|OVERRIDE|LOCAL))?\.(?:md|MD)$|(?:^|\/)copilot-instructions\.md$|\.(?:instructions|prompt|chatmode|agent)\.md$/
const instructionsAtTop = /^(?:agents?|claude|gemini|qwen|skill|replit)(?:\.(?:override|local))?\.md$/i
/** What a host shows to those who open an issue or a pull request. */
const hostFile = /(?:^|\/)(?:pull_request_template|issue_template|merge_request_templates?)(?:[./]|$)/i
/** Templates and settings of generators, whatever the kind of file. */
const settingsFolders = new Set(['layouts', '_layouts', '_default'])
/** At the top of a repository: their data steers builds and servers. Pages in them are pages. */
const toolFolders = new Set([
  'ci',
  'cicd',
  'gitlab-ci',
  'pipelines',
  'azure-pipelines',
  'buildkite',
  'tekton',
  'zuul.d',
  'workflows',
  'actions',
  'templates',
  'k8s',
  'helm',
  'charts',
  'terraform',
  'ansible',
  'playbooks',
  'argocd',
  'flux',
  'infra',
  'deploy',
])
// The order of pages, as some site generators read it.
const orderFile = /^\.(?:pages|nav|meta|order)(?:\.(?:ya?ml|md|json))?$/

// Settings of MkDocs that load or run something; `redirect_maps` inside of the plugins is data.
const guarded = [
  'INHERIT',
  'hooks',
  'plugins',
  'markdown_extensions',
  'extra_javascript',
  'extra_css',
  'extra_templates',
  'theme',
  'docs_dir',
  'site_dir',
  'watch',
  'google_analytics',
  'site_url',
  'repo_url',
  'edit_uri',
  'edit_uri_template',
  'remote_branch',
  'remote_name',
  'dev_addr',
]
/** Of what themes are told beside: what they load, and where they lead. */
const guardedExtra = ['analytics', 'consent', 'homepage', 'scripts', 'css', 'javascript']

// Settings of a Mintlify site that load something of others into every page, or show its readers another site.
const guardedJson = ['integrations', 'analytics', 'fonts', 'head', 'scripts', 'css', 'js', 'proxy', 'api']

/** Why a changed JSON configuration may not be published: it would load something that the base does not. */
export function jsonObjection(before: Uint8Array | undefined, after: Uint8Array): string | undefined {
  const now = textOf(after)
  if (now === undefined) return 'It would not be UTF-8'
  const [old, changed] = [textOf(before) ?? '', now].map(readJson)
  for (const key of guardedJson) {
    const [was, is] = [old, changed].map((data) => JSON.stringify(isRecord(data) ? data[key] : undefined))
    if (was !== is) return `It would change the setting ${key}, which decides what every page loads`
  }
  return undefined
}

/** Why a changed YAML configuration may not be published: it would load or run something that the base does not. */
export function configurationObjection(
  before: Uint8Array | undefined,
  after: Uint8Array,
  renamed: (text: string) => string = (text) => text,
): string | undefined {
  const [old, now] = [textOf(before), textOf(after)]
  const objection = yamlObjection(old, now)
  return objection === undefined || old === undefined ? objection : yamlObjection(renamed(old), now)
}

function yamlObjection(old: string | undefined, now: string | undefined): string | undefined {
  if (now === undefined) return 'It would not be UTF-8'
  if (old === now) return undefined
  const document = openYaml(now)
  if (document === undefined) return 'It would not be valid YAML'
  const base = openYaml(old ?? '')
  const [was, is] = [valuesOf(old ?? ''), valuesOf(now)]
  if (is === undefined) return 'It would not be YAML that can be read'
  for (const key of guarded) {
    const isSame =
      settingOf(now, document.contents, key) === settingOf(old ?? '', base?.contents, key) &&
      valueOf(was, key) === valueOf(is, key)
    if (!isSame) return `It would change the setting ${key}, which can load or run code`
  }
  for (const key of guardedExtra) {
    if (valueOf(was?.['extra'], key) !== valueOf(is['extra'], key))
      return `It would change the setting extra.${key}, which decides what every page loads`
  }
  const known = tagsOf(old ?? '')
  const added = [...tagsOf(now)].find(([tag, count]) => count > (known.get(tag) ?? 0))
  return added === undefined ? undefined : `It would add the YAML tag ${added[0].slice(0, 100)}`
}

/** As the site gets them, with everything that refers to something else in its place. */
function valuesOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(text, {
      logLevel: 'silent',
      maxAliasCount: 100,
      uniqueKeys: false,
      merge: true,
    })
    return isRecord(value) ? value : {}
  } catch {
    return undefined
  }
}

/** One of them, but for the redirects in it. */
function valueOf(values: unknown, key: string): string {
  const value = isRecord(values) && Object.hasOwn(values, key) ? values[key] : undefined
  if (key !== 'plugins') return JSON.stringify(value) ?? ''
  const plugins: unknown[] = Array.isArray(value) ? value : [value]
  return JSON.stringify(plugins.map(withoutRedirects)) ?? ''
}

function withoutRedirects(plugin: unknown): unknown {
  if (plugin === 'redirects') return { redirects: {} }
  if (!isRecord(plugin) || !('redirects' in plugin)) return plugin
  const options = isRecord(plugin['redirects']) ? plugin['redirects'] : {}
  const { redirect_maps: _, ...others } = options
  return { ...plugin, redirects: others }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? '' : decodeExact(bytes)
}

/** A setting as it is written, but for the redirects in it. */
function settingOf(text: string, contents: unknown, key: string): string {
  const pairs = isMap(contents) ? contents.items.filter((pair) => String(pair.key) === key) : []
  return pairs
    .map((pair) => {
      const whole = text.slice(startOf(pair), endOf(pair))
      if (key !== 'plugins') return whole
      const maps = redirectMaps(pair.value)
      const plain =
        maps === undefined ? whole : text.slice(startOf(pair), maps.start) + text.slice(maps.end, endOf(pair))
      // Beginning the list of redirects makes a map out of a plugin's name.
      return plain
        .replace(/(\bredirects['"]?):?(?=\s|$)/, '$1')
        .replaceAll(/\s+/g, ' ')
        .trim()
    })
    .join('\n')
}

function redirectMaps(plugins: unknown): { start: number; end: number } | undefined {
  const items: unknown[] = isSeq(plugins) ? plugins.items : [plugins]
  const plugin = items.map((item) => pairOf(item, 'redirects')).find((pair) => pair !== undefined)
  const maps = pairOf(plugin?.value, 'redirect_maps')
  return maps === undefined ? undefined : { start: startOf(maps), end: endOf(maps) }
}

function tagsOf(text: string): Map<string, number> {
  const tags = new Map<string, number>()
  for (const [, tag = ''] of text.matchAll(/(?:^|[\s,[{])(![^\s,\]}]*)/g))
    tags.set(tag, (tags.get(tag) ?? 0) + 1)
  return tags
}

const maxFiles = 100
const maxDepth = 20

/** What the guarded settings of `docs.json` come to be by the files that it takes in. */
export async function mintlifyViolations(
  changes: readonly FileDifference[],
  { configPaths = [], read, begin }: BaseSite,
): Promise<Violation[]> {
  const config = configPaths.find((path) => /(?:^|\/)(?:docs|mint)\.json$/.test(path))
  if (config === undefined || !changes.some(({ path }) => path.endsWith('.json'))) return []
  const after = new Map(changes.map((change) => [change.path, change.after]))
  const named = (readFile: Read) => async (path: string) => {
    const content = await readFile(path)
    return content === undefined || begin?.(path, content) === false ? undefined : content
  }
  const readNow = async (path: string) => (after.has(path) ? after.get(path) : read(path))
  const [old, now] = [await expand(config, named(read)), await expand(config, named(readNow))]
  return guardedJson
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => ({
      code: 'protected',
      path:
        changes.find(({ path }) => path === config)?.path ??
        changes.find(({ path }) => path.endsWith('.json'))?.path ??
        config,
      message: `It would change the setting ${key} of ${config}, which decides what every page loads`,
    }))
}

type Read = (path: string) => Promise<Uint8Array | undefined>

async function expand(config: string, read: Read): Promise<Record<string, unknown>> {
  let files = 0
  const open = async (path: string, depth: number): Promise<unknown> => {
    if (++files > maxFiles) return { tooMany: files }
    const content = await read(path)
    const text = readText(content)
    const value: unknown = readJson(text)
    return visit(value, path, depth)
  }
  const visit = async (value: unknown, path: string, depth: number): Promise<unknown> => {
    if (depth > maxDepth) return value
    if (Array.isArray(value)) return Promise.all(value.map((one) => visit(one, path, depth + 1)))
    if (!isRecord(value)) return value
    const reference = value['$ref']
    const target =
      typeof reference === 'string' && !/^[a-z]+:|^#/i.test(reference)
        ? resolvePath(path.slice(0, Math.max(0, path.lastIndexOf('/'))), reference.replace(/#.*/s, ''))
        : undefined
    const taken = target === undefined || target === path ? undefined : await open(target, depth + 1)
    const own: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(value)) own[key] = await visit(one, path, depth + 1)
    return isRecord(taken) ? { ...taken, ...own } : (taken ?? own)
  }
  const value = await open(config, 0)
  return isRecord(value) ? value : {}
}
