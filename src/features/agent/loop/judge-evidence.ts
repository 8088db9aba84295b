import { isRecord } from '../../../lib/is-record.ts'
import { isLanguageModel } from '../model/reminders.ts'
import type { Step, TurnEnd } from '../turns/steps.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'
import { withShownSources } from './verify-sources.ts'

const mostListed = 30
const notes = ['sourcesNotShown', 'notInTheChanges'] as const

/** What the end of a turn says, with the proofs that there are. */
interface Evidence {
  end: TurnEnd
  /** What the model is to correct; undefined where nothing is, or it has been told before. */
  told: Partial<Record<(typeof notes)[number], unknown>> | undefined
}

/**
 * Compares what a model says at the end with what it was shown and what it changed. Sources that it was never shown go from its
 * reasons, whatever it says then.
 */
export async function judgeEvidence(
  run: TurnRun,
  tools: TurnTools,
  given: TurnEnd,
  earlier: readonly Step[],
): Promise<Evidence> {
  const { end, unshown } = withShownSources(run, tools.turn, given, tools.shown(earlier))
  if (end.noChange || tools.workspace.changes().length === 0) return { end, told: undefined }
  // A description of the whole pull request speaks of earlier turns too, whose changes are not at hand.
  const description = tools.turn.row.n === 1 ? (end.description ?? '') : ''
  const texts = [
    ...[end.title ?? '', end.summary, description].map((text) => ({ text })),
    ...end.pages.map(({ path, reason }) => ({ text: reason, path })),
  ]
  const claims = (await tools.toolbox.unproven?.(texts, run.signal)) ?? []
  const sure = claims.filter(({ isSure }) => isSure)
  const ofWhole = sure.filter(({ path }) => path === undefined).map(({ sentence }) => sentence)
  const judged = {
    ...end,
    // As with sources: what is not so goes from a reason, whatever the model says then.
    pages: end.pages.map((page) => ({
      ...page,
      reason: sure
        .filter(({ path }) => path === page.path)
        .reduce((reason, { sentence }) => reason.replace(sentence, ''), page.reason)
        .trim(),
    })),
    ...(ofWhole.length > 0 && { unproven: ofWhole.slice(0, mostListed) }),
  }
  if (!isLanguageModel(run.job.model) || wasTold(earlier)) return { end: judged, told: undefined }
  const objections = {
    ...(unshown.length > 0 && { sourcesNotShown: unshown.slice(0, mostListed) }),
    ...(claims.length > 0 && {
      notInTheChanges: claims.slice(0, mostListed).map(({ sentence }) => sentence),
    }),
  }
  return { end: judged, told: Object.keys(objections).length > 0 ? objections : undefined }
}

function wasTold(steps: readonly Step[]): boolean {
  return steps.some(({ results }) =>
    (results?.outputs ?? []).some(({ output }) => isRecord(output) && notes.some((note) => note in output)),
  )
}
