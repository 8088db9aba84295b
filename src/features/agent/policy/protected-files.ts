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
    isNamedForAgents(path) ||
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

/** Some file systems do not tell letters by their case. A page whose name is in small letters alone is one about agents. */
function isNamedForAgents(path: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file !== file.toLowerCase() && namedForAgents.test(file)
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
const namedForAgents =
  /^(?:agents|claude|gemini|skill|qwen|copilot(?:-instructions)?|cursor(?:rules)?|windsurf(?:rules)?)(?:\.(?:override|local))?\.(?:mdx?|mdc|markdown|txt|rst|adoc)$/i
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
