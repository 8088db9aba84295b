import { isGitName } from './repository-path.ts'

/** Never written, whatever a project allows: it steers git, builds or releases, or is made by a tool. */
export function isLocked(path: string): boolean {
  const names = path.toLowerCase().split('/')
  if (names.some((name) => isGitName(name) || name.startsWith('.git') || lockedNames.has(name))) return true
  const file = names.at(-1) ?? ''
  // A page about a Dockerfile is a page.
  return lockedFile.test(file) && !/[^.]\.(?:mdx?|markdown|rst|adoc)$/.test(file)
}

/** Settings of tools and instructions to other agents: only what a project allows by name. */
export function isSettings(path: string): boolean {
  const names = path.toLowerCase().split('/')
  const file = names.at(-1) ?? ''
  if (names.some((name) => name.startsWith('.') && !orderFile.test(name))) return true
  if (settingsFile.test(file) || instructions.test(path) || hostFile.test(path)) return true
  if (names.slice(0, -1).some((name) => settingsFolders.has(name))) return true
  // At the top of a repository data files belong to tools, but for descriptions of an API.
  return names.length === 1 && /\.(?:jsonc?|ya?ml|toml)$/.test(file) && !/openapi|swagger|asyncapi/.test(file)
}

/** Made to hold secrets: an agent need not know what is in it. Examples of such files are there to be read. */
export function holdsSecrets(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (/example|sample|template|\.dist$|\.pub$/.test(name)) return false
  return /^(?:\.env(?:\..+)?|.+\.env|\.npmrc|\.yarnrc|\.netrc|_netrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|tfstate|tfvars)|credentials(?:\.json)?|secrets?\.(?:ya?ml|json|toml|env)|service-account.*\.json)$/.test(
    name,
  )
}

/** What is written by people as documentation, and its data. */
export function isDocumentation(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdown|txt|rst|adoc|json|jsonc|ya?ml|csv)$/.test(path.toLowerCase())
}

const lockedNames = new Set([
  '.docwright',
  '.circleci',
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
  'node_modules',
])

const lockedFile = new RegExp(
  `^(?:${[
    // Pipelines and hosts
    String.raw`\.?(?:gitlab-ci|travis|drone|appveyor|woodpecker|cirrus|circle|semaphore|wercker|bitrise|codeship-.*|pre-commit-config|readthedocs|goreleaser)\.ya?ml`,
    String.raw`(?:azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|appspec|action|serverless|skaffold|codefresh|dependabot)\.ya?ml`,
    String.raw`(?:vercel|firebase|railway|wrangler)\.jsonc?`,
    String.raw`(?:netlify|fly|wrangler|railway|nixpacks)\.toml`,
    String.raw`renovate\.json5?|renovaterc(?:\.json5?)?`,
    String.raw`(?:jenkinsfile|makefile|gnumakefile|justfile|rakefile|gemfile|procfile|vagrantfile|dockerfile|containerfile|codeowners)(?:\..*)?`,
    String.raw`(?:docker-compose|compose)(?:\..*)?\.ya?ml|taskfile\.ya?ml|cmakelists\.txt`,
    // Packages
    String.raw`package\.json|deno\.jsonc?|jsr\.jsonc?|bunfig\.toml|composer\.json|bower\.json|lerna\.json|pnpm-workspace\.ya?ml|cargo\.toml|pyproject\.toml|pipfile|go\.(?:mod|sum|work)|pubspec\.ya?ml|mix\.exs|shard\.ya?ml|environment\.ya?ml|conda.*\.ya?ml`,
    String.raw`(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)|constraints\.txt|runtime\.txt`,
    String.raw`.*[-.]lock(?:\.(?:json|ya?ml))?|.*-lock\.(?:json|ya?ml)|.*\.lockb|npm-shrinkwrap\.json`,
    // Secrets
    String.raw`\.env.*|\.npmrc|\.netrc|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519).*|.*\.(?:pem|key|p12|pfx|jks)`,
    // Programs
    String.raw`.*\.(?:exe|dll|so|dylib|jar|wasm|class|pyc|bat|cmd|ps1)`,
  ].join('|')})$`,
)

const settingsFile =
  /^(?:(?:app|render|fly|heroku)\.ya?ml|(?:app|now|amplify)\.json|tsconfig.*\.json|jsconfig.*\.json|turbo\.json|nx\.json|project\.json|angular\.json|workspace\.json|rush\.json|babel\.config\.json|nodemon\.json|biome\.jsonc?|dprint\.json|tslint\.json|cypress\.json|capacitor\.config\.json|eas\.json|_config\.ya?ml|book\.json|chart\.ya?ml|kustomization\.ya?ml|values\.ya?ml|template\.ya?ml|samconfig\.(?:toml|ya?ml)|codecov\.ya?ml|(?:mkdocs|properdocs|_quarto|myst|redocly|hugo|antora|antora-playbook|lefthook|crowdin|retype|docfx)\.(?:ya?ml|jsonc?|toml)|(?:docs|mint|typedoc|openapitools|cspell|docker-bake|tasks|launch|mcp|opencode|components|vercel|now|claude_desktop_config|assetlinks)\.jsonc?|(?:robots|ads|app-ads|security)\.txt|.*rc\.(?:jsonc?|ya?ml)|.*\.config\.(?:jsonc?|ya?ml))$/
// In capitals anywhere, as the tools want them; at the top however they are written.
const instructions =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|QWEN|WARP|CRUSH|CODEX|CONVENTIONS)(?:\.(?:override|local|OVERRIDE|LOCAL))?\.(?:md|MD)$|^(?:agents?|claude|gemini|qwen)\.md$|(?:^|\/)copilot-instructions\.md$|\.(?:instructions|prompt|chatmode|agent)\.md$/
/** What a host shows to those who open an issue or a pull request. */
const hostFile = /(?:^|\/)(?:pull_request_template|issue_template|merge_request_templates?)(?:[./]|$)/i
/** Templates and settings of generators, whatever the kind of file. */
const settingsFolders = new Set(['layouts', '_layouts', '_default'])
// The order of pages, as some site generators read it.
const orderFile = /^\.(?:pages|nav|meta|order)(?:\.(?:ya?ml|md|json))?$/
