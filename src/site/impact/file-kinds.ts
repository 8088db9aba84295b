/** Why the lines of a changed file say nothing to those who document the change; undefined where they do. */
export function foldedAs(path: string, isBinary: boolean): 'test' | 'generated' | 'binary' | undefined {
  if (isBinary) return 'binary'
  if (generated.test(path)) return 'generated'
  return tests.test(path) ? 'test' : undefined
}

const generated =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|target|\.yarn|__generated__|generated)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|flake\.lock|[\w.-]*\.lock)$|\.(?:min\.(?:js|css)|map|snap|svg|pb\.go|pb\.cc|pb\.h|g\.dart)$|[._-](?:generated|gen)\.\w{1,5}$|_pb2(?:_grpc)?\.pyi?$/i

const tests =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|__snapshots__|specs?|e2e|testdata|test-data|fixtures?|testing|benchmarks?)\/|(?:[._-](?:test|tests|spec|bench|e2e)\.[\w.]{1,10}|_test\.go|(?:^|\/)test_[^/]*\.py|(?:^|\/)conftest\.py|Tests?\.(?:java|kt|cs|swift|scala))$/i

export function isPageFile(path: string): boolean {
  return /\.(?:mdx?|markdown|mdoc|rst|adoc|asciidoc)$/i.test(path)
}

/** Files that programs are written in or set up by. */
export function isCodeFile(path: string): boolean {
  return !isPageFile(path) && !generated.test(path) && !other.test(path)
}

const other =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|pdf|woff2?|ttf|otf|eot|mp[34]|webm|mov|zip|t?gz|xz|bz2|jar|whl|exe|dll|so|dylib|class|wasm|bin|parquet|avro|orc|sqlite|db|csv|tsv|txt|log|patch|diff|css|scss|less|po|pot|mo|xcf|psd|drawio|excalidraw)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CODEOWNERS|\.github\/)/i

export type LeftOut = 'changes' | 'proposal' | 'version' | 'translation' | 'generated'

/** Pages that tell what was, what others wrote or what programs make; undefined for those that tell how things are. */
export function leftOutAs(path: string): LeftOut | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const name = path.slice(folder.length).replace(/^\d+[.-]/, '')
  // A page about a feature of that name stands among the pages of other features.
  const isFeature =
    /(?:^|\/)(?:config(?:uration)?|customization|features?|options|reference|settings)\//i.test(folder)
  if ((changes.test(name) && !isFeature) || changeFolders.test(path)) return 'changes'
  if (/generated/i.test(name)) return 'generated'
  if (proposals.test(path)) return 'proposal'
  if (versions.test(path)) return 'version'
  return translations.test(path) ? 'translation' : undefined
}

const changes =
  /^(?:change-?_?logs?|changes|history|news|releases|release[-_]notes?|whats?-?new|upgrade|upgrading|upgrade-guide|migration|migrating|migration-guide|breaking-changes?)\.[a-z]+$/i
const changeFolders =
  /(?:^|\/)(?:change-?logs?|release[-_]?notes?|releases|blog|blogs|news|posts|upgrade|upgrading|migrations?|\.changeset|newsfragments|changelog\.d)\//i
const proposals = /(?:^|\/)(?:rfcs?|adrs?|decisions|proposals?|keps|peps|enhancements|design-?docs?)\//i
const versions =
  /(?:^|\/)(?:versioned_docs|version-[^/]{1,60}|v?\d+\.(?:\d+|x)(?:\.(?:\d+|x))?|_versions?|archived?)\//i
const translations =
  /(?:^|\/)(?:i18n|translations?|locales?)\/|(?:^|\/)(?:ar|bn|cs|da|de|el|es|fa|fi|fr|he|hi|hu|id|it|ja|ko|nl|no|pl|pt|pt-br|ro|ru|sv|th|tr|uk|vi|zh|zh-cn|zh-hans|zh-hant|zh-tw|cn|jp|kr)\/|\.(?:zh|zh-cn|ja|ko|fr|de|es|ru|pt-br)\.[a-z]+$/i
