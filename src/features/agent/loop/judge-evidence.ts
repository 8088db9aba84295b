import { isRecord } from '../../../lib/is-record.ts'
import { isLanguageModel } from '../model/reminders.ts'
import type { Step, TurnEnd } from '../turns/steps.ts'
import { mergeBase } from '../../../integrations/git/trees/ancestry.ts'
import type { StartedTurn, TurnRun, TurnTools } from '../turns/turn-run.ts'
import type { SaidText } from '../workspace/toolbox.ts'
import { treeDifferences } from '../workspace/tree-differences.ts'
import type { FileDifference } from '../workspace/workspace.ts'
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
  steps: readonly Step[],
): Promise<Evidence> {
  const { end, unshown } = withShownSources(run, tools.turn, given, tools.shown(steps))
  if (end.noChange || tools.workspace.changes().length === 0) return { end, told: undefined }
  const earlier = tools.turn.row.n === 1 ? [] : await changesOfBranch(run, tools.turn)
  const texts: SaidText[] = [
    { text: end.title ?? '' },
    { text: end.summary },
    ...(end.description === undefined || earlier === undefined
      ? []
      : [{ text: end.description, isOfWhole: true as const }]),
    ...end.pages.map(({ path, reason }) => ({ text: reason, path })),
  ]
  const claims = (await tools.toolbox.unproven?.({ texts, earlier: earlier ?? [] }, run.signal)) ?? []
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
  if (!isLanguageModel(run.job.model) || wasTold(steps)) return { end: judged, told: undefined }
  const objections = {
    ...(unshown.length > 0 && { sourcesNotShown: unshown.slice(0, mostListed) }),
    ...(claims.length > 0 && {
      notInTheChanges: claims.slice(0, mostListed).map(({ sentence }) => sentence),
    }),
  }
  return { end: judged, told: Object.keys(objections).length > 0 ? objections : undefined }
}

/** What the job's branch has changed when the turn starts; undefined where its history is not known. */
async function changesOfBranch(
  { project, signal }: TurnRun,
  { baseCommit, startCommit }: StartedTurn,
): Promise<readonly FileDifference[] | undefined> {
  const since = await mergeBase(project.repository, baseCommit, startCommit)
  return since === undefined
    ? undefined
    : await treeDifferences(project.repository, since, startCommit, signal)
}

function wasTold(steps: readonly Step[]): boolean {
  return steps.some(({ results }) =>
    (results?.outputs ?? []).some(({ output }) => isRecord(output) && notes.some((note) => note in output)),
  )
}
