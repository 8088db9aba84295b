const anyComponent = [
  'title',
  'label',
  'header',
  'heading',
  'summary',
  'caption',
  'description',
  'text',
  'alt',
  'headline',
  'tip',
  'subtitle',
]
const field = /^(?:ParamField|ResponseField|Param|Property|Parameter|PropertyField|Field|Prop)$/
const fieldNames = ['path', 'query', 'body', 'header', 'name', 'type', 'default', 'title', 'description']
const silent = /^(?:Icon|Frame|Tabs|Columns|CardGroup|CardGrid|CodeGroup|Script|Head|Helmet)$/
const htmlWithAlt = /^(?:img|Image|Picture|video|area)$/

/** What a reader sees of a tag's attributes, in reading order. */
export function shownAttributes(name: string, attributes: ReadonlyMap<string, string>): string[] {
  if (attributes.size === 0 || silent.test(name)) return []
  if (htmlWithAlt.test(name)) return values(attributes, ['alt'])
  if (!/^[A-Z]/.test(name)) return []
  if (field.test(name)) {
    const texts = values(attributes, fieldNames)
    return texts.length === 0 ? [] : [texts.join(' ')]
  }
  return values(attributes, anyComponent)
}

function values(attributes: ReadonlyMap<string, string>, names: readonly string[]): string[] {
  const texts: string[] = []
  for (const name of names) {
    const value = attributes.get(name)?.trim()
    if (value) texts.push(value)
  }
  return texts
}
