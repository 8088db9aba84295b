/** Verbs of the tools that other programs give to models. */
const words: Readonly<Record<string, string>> = {
  view: 'read', open: 'read', cat: 'read', get: 'read', show: 'read', fetch: 'read',
  str: 'edit', replace: 'edit', update: 'edit', modify: 'edit', patch: 'edit', apply: 'edit', insert: 'edit', change: 'edit',
  create: 'write', save: 'write', new: 'write', add: 'write',
  search: 'grep', find: 'grep', rg: 'grep', ripgrep: 'grep',
  ls: 'list', dir: 'list', glob: 'list', tree: 'list',
  rename: 'move', mv: 'move', remove: 'delete', rm: 'delete', undo: 'revert', restore: 'revert',
  done: 'finish', complete: 'finish', submit: 'finish', end: 'finish', ask: 'ask', question: 'ask', todo: 'plan', lint: 'check', validate: 'check',
} // prettier-ignore

/** The tool that a model most likely means by the name of another. */
export function nearestTool(name: string, tools: readonly string[]): string | undefined {
  const parts = partsOf(name)
  const meant = new Set(parts.flatMap((part) => [part, words[part] ?? part]))
  const scored = tools.map((tool) => {
    const own = partsOf(tool)
    const shared = own.filter((part) => meant.has(part)).length
    return {
      tool,
      score:
        shared === 0 ? 0 : shared + (own[0] !== undefined && meant.has(own[0]) ? 1 : 0) - own.length / 10,
    }
  })
  const [best] = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  return best?.tool
}

function partsOf(name: string): string[] {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '')
}
