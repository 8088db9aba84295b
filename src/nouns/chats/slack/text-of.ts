const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** What somebody wrote, without the mention of the app, and with links and channels as they are called. */
export function textOf(text: string, bot: string): string {
  return text
    .replaceAll(
      /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g,
      (_, sign: string, target: string, label?: string) => {
        if (sign === '@') return target === bot ? ' ' : (label ?? 'someone')
        if (sign === '#') return `#${label ?? target}`
        if (sign === '!') return label ?? ' '
        return label === undefined || target.endsWith(label) ? target : `${label} (${target})`
      },
    )
    .replaceAll(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity)
    .trim()
}
