import type { CodeChangeColumn } from '../../../../store/columns.ts'

type Folded = CodeChangeColumn['files'][number]['folded']

/** Why the lines of a changed file say nothing to those who document the change; undefined where they do. */
export function foldedAs(path: string, isBinary: boolean): Folded {
  if (isBinary) return 'binary'
  if (generated.test(path)) return 'generated'
  return tests.test(path) ? 'test' : undefined
}

const generated =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|target|\.yarn|__generated__|generated)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|flake\.lock|[\w.-]*\.lock)$|\.(?:min\.(?:js|css)|map|snap|svg|pb\.go|pb\.cc|pb\.h|g\.dart)$|[._-](?:generated|gen)\.\w{1,5}$|_pb2(?:_grpc)?\.pyi?$/i

const tests =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|__snapshots__|specs?|e2e|testdata|test-data|fixtures?|testing|benchmarks?)\/|(?:[._-](?:test|tests|spec|bench|e2e)\.[\w.]{1,10}|_test\.go|(?:^|\/)test_[^/]*\.py|(?:^|\/)conftest\.py|Tests?\.(?:java|kt|cs|swift|scala))$/i
