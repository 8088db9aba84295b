import { isMap, isScalar, parseDocument, visit } from 'yaml'
import { isHostileYaml } from '../../../lib/hostile-yaml.ts'

/**
 * What YAML says, with its tags that are no plain values. Undefined for what readers do not agree on: errors, several
 * documents, two fields of one name; and for what would take long.
 */
export function readYaml(text: string): { value: unknown; tags: string[] } | undefined {
  if (isHostileYaml(text)) return undefined
  try {
    const document = parseDocument(text, { logLevel: 'error', uniqueKeys: false, merge: true })
    if (document.errors.length > 0) return undefined
    let hasTwins = false
    const tags = new Set<string>()
    visit(document, (_, node) => {
      if (isMap(node)) {
        const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
        const plain = names.filter((name) => name !== '<<' && name !== '')
        hasTwins ||= new Set(plain).size < plain.length
      }
      const tag = typeof node === 'object' && node !== null && 'tag' in node ? node.tag : undefined
      if (
        typeof tag === 'string' &&
        !/^(?:!|tag:yaml\.org,2002:(?:str|int|bool|float|null|seq|map|timestamp))$/.test(tag)
      )
        tags.add(tag)
    })
    return hasTwins ? undefined : { value: document.toJS({ maxAliasCount: 100 }), tags: [...tags] }
  } catch {
    return undefined
  }
}
