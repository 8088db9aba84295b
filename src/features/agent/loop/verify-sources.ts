import type { TurnEnd, Step } from '../turns/steps.ts'
import { type ShownSource, ShownSources } from '../turns/shown-sources.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import type { TurnRow } from '../turns.ts'

/** What a turn showed before its first answer. */
interface ShownAtStart {
  /** Files that the model was told as a whole. */
  rules: readonly string[]
  /** Parts in the form of outputs of tools. */
  outputs: readonly unknown[]
  earlier: readonly TurnRow[]
}

/** All that the model was shown in these steps, and before them. */
export function shownIn(
  steps: readonly Step[],
  { rules, outputs, earlier }: ShownAtStart,
  changesFiles: (tool: string) => boolean,
): ShownSources {
  const shownSources = new ShownSources()
  for (const path of rules) shownSources.addWhole(path)
  for (const output of outputs) shownSources.record(output, false)
  for (const { publication } of earlier)
    for (const { sources, links } of publication?.pages ?? [])
      for (const source of sources) shownSources.addEarlier(source, links?.[source])
  for (const { results } of steps)
    for (const { name, output } of results?.outputs ?? []) shownSources.record(output, changesFiles(name))
  return shownSources
}

/** A source that was given and never shown, for the model that gave it. */
interface UnshownSource {
  path: string
  source: string
  /** The lines of that file that were shown. */
  shownLines?: string
}

/**
 * The reasons with the sources that the model was shown, as links where there is a page for them.
 * @returns the rest as well
 */
export function withShownSources<End extends Pick<TurnEnd, 'pages'>>(
  run: Pick<TurnRun, 'project'>,
  turn: Pick<StartedTurn, 'startCommit' | 'baseCommit' | 'parents'>,
  end: End,
  shown: ShownSources,
): { end: End; unshown: UnshownSource[] } {
  const unshown: UnshownSource[] = []
  const pages = end.pages.map((page) => {
    const knownSources = page.sources.flatMap((source): ShownSource[] => {
      const known = shown.find(source)
      if (known !== undefined) return [known]
      const shownLines = shown.linesOf(source)
      unshown.push({ path: page.path, source, ...(shownLines !== undefined && { shownLines }) })
      return []
    })
    const links = Object.fromEntries(
      knownSources.flatMap((source) => {
        const address = addressOf(run, turn, source)
        return address === undefined ? [] : [[source.text, address]]
      }),
    )
    const sources = [...new Set(knownSources.map(({ text }) => text))]
    return { ...page, sources, ...(Object.keys(links).length > 0 && { links }) }
  })
  return { end: { ...end, pages }, unshown }
}

function addressOf(
  { project }: Pick<TurnRun, 'project'>,
  { startCommit, baseCommit, parents }: Pick<StartedTurn, 'startCommit' | 'baseCommit' | 'parents'>,
  { address, place }: ShownSource,
): string | undefined {
  if (place === undefined) return address !== undefined && /^https?:\/\//.test(address) ? address : undefined
  // A merge that was made for the turn is on no host.
  const own = parents === undefined ? startCommit : baseCommit
  const commit = place.commit ?? (place.repository === undefined ? own : undefined)
  return commit === undefined ? undefined : project.addressOf?.({ ...place, commit })
}
