import type { AssessedPage } from './assess.ts'
import type { ImpactFinding, NamedChange } from './findings.ts'

const mostNames = 3
/** Below these, path and history say little. */
const tellingPath = 0.3
const tellingShare = 0.05

/** Why a page may be touched, in sentences: what is sure first. Only names are evidence; plain words are not. */
export function whyOf(
  { features, read }: AssessedPage,
  findings: readonly ImpactFinding[],
  {
    named,
    isNear,
    added,
  }: { named: ReadonlyMap<string, NamedChange>; isNear: boolean; added: readonly NamedChange[] },
): string[] {
  const { path, together } = features
  const nameSet = new Set(findings.flatMap(({ places }) => places.map(({ name }) => name)))
  const names = [...nameSet].slice(0, mostNames).flatMap((name) => named.get(name) ?? [])
  const isByHistory = together.files >= tellingShare && together.count > 1
  const byNeighbour = isNear && read.places.length > 0
  const news = added.slice(0, mostNames).map(({ name }) => `\`${name}\``)
  const reasons = [
    ...names.map((one) => `It names \`${one.name}\`, which ${one.words}.`),
    ...(isByHistory ? [`It changed in ${together.count} earlier commits with these files.`] : []),
    ...(together.pinned === true ? ['.docwright/map.yml names it for these files.'] : []),
    ...(news.length > 0 && (byNeighbour || isByHistory)
      ? [
          `${news.join(', ')} ${news.length === 1 ? 'is' : 'are'} new ${byNeighbour ? 'beside names that it has' : 'in files that it changed with before'}, and no page has ${news.length === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(path >= tellingPath ? ['Its path has words of the changed files.'] : []),
    ...(names.length === 0 && byNeighbour ? ['It has names from the lines around the change.'] : []),
  ]
  if (reasons.length > 0) return reasons
  return [
    features.names > 0
      ? 'It has words of the changed lines.'
      : 'It changed with files of the same folders before.',
  ]
}

/** What became of a name, behind “which”. */
export function fateWords({
  fate,
  isGone,
  became,
}: Pick<NamedChange, 'fate' | 'isGone'> & { became: string | undefined }): string {
  if (fate === 'renamed' && became !== undefined)
    return isGone ? `is now \`${became}\`` : `was replaced by \`${became}\` in one place`
  if (fate === 'removed' || fate === 'renamed')
    return isGone ? 'was removed from the code' : 'was removed in one place'
  if (fate === 'new') return 'is new'
  return fate === 'value' ? 'has another value' : 'changed'
}
