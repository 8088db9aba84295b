import { AppError } from '../../../lib/errors.ts'
import { isSameCommit, type MergeView } from '../merging.ts'
import { HostFailure } from './host-failure.ts'

/**
 * Asks a host to merge, and looks again whenever the answer is no success: what was merged although its answer got
 * lost is merged.
 * @param look reads it again
 * @throws as `Merging.merge` does
 */
export async function mergeOnce(
  { host, view }: { host: string; view: MergeView },
  send: () => Promise<unknown>,
  look: () => Promise<MergeView | undefined>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error
    const now = await look().catch(() => undefined)
    if (now?.state === 'merged' && isSameCommit(now.headCommit, view.headCommit)) return
    throw explain(host, view, now, error)
  }
}

function explain(host: string, view: MergeView, now: MergeView | undefined, error: HostFailure): AppError {
  const { number, link } = view
  if (!error.refused) {
    const outcome =
      now === undefined
        ? `did not confirm the merge of pull request ${number}. Check ${link} before you merge again`
        : `did not answer in order, and pull request ${number} is not merged so far: look again before you merge`
    return new AppError('unavailable', `${host} ${outcome}`, { cause: error })
  }
  if (error.code === 'unavailable' || sayEnough.has(error.status)) return error
  const { code, hint } = reasonOf(view, now, error) ?? {
    code: 'conflict',
    hint: `see ${link} for what blocks it`,
  }
  const said = error.detail === '' ? '' : ` (${error.detail.replace(/\.$/, '')})`
  return new AppError(code, `${host} does not merge pull request ${number}${said}: ${hint}`, { cause: error })
}

/** Their messages say what is wrong with the credential, or the repository. */
const sayEnough: ReadonlySet<number | undefined> = new Set([401, 403, 404, 423])

interface Reason {
  code: 'conflict' | 'forbidden'
  hint: string
}

function reasonOf(
  view: MergeView,
  now: MergeView | undefined,
  { status, detail }: HostFailure,
): Reason | undefined {
  if (now && now.state !== 'open') return { code: 'conflict', hint: `it is already ${now.state}` }
  if (now && !isSameCommit(now.headCommit, view.headCommit)) return movedOn
  // Gitea does so, with what git has printed.
  if (status === 409 && detail === '') return outdated
  return refusals.find(({ words }) => words.test(detail))
}

const movedOn: Reason = {
  code: 'conflict',
  hint: 'its branch has other commits by now, so look at them and merge again',
}

const outdated: Reason = {
  code: 'conflict',
  hint: 'bring the branch up to date with its base, by a follow-up or by hand',
}

/** By the words of hosts, the more certain first. */
const refusals: (Reason & { words: RegExp })[] = [
  {
    words:
      /not allowed to merge|not authorized|lacks? permission|no permission|protected branch|not permitted/i,
    code: 'forbidden',
    hint: 'the account of the credential may not merge into this branch, so give it the right to, or merge it at the host',
  },
  { ...movedOn, words: /head (?:branch was modified|out of date)|sha does not match|head commit/i },
  {
    words: /merges? (?:are|is) not allowed|merge style|merge method|merge strategy/i,
    code: 'conflict',
    hint: 'choose another style of merging',
  },
  { words: /approv|review/i, code: 'conflict', hint: 'it has to be approved at the host first' },
  {
    words: /status check|required check|checks? (?:is|are|has)|pipeline|build/i,
    code: 'conflict',
    hint: 'wait until the checks have passed, or fix what they found',
  },
  { words: /draft|work in progress/i, code: 'conflict', hint: 'mark it as ready at the host first' },
  {
    words: /discussion|conversation|unresolved|tasks?\b/i,
    code: 'conflict',
    hint: 'what people wrote there has to be resolved first',
  },
  { ...outdated, words: /conflict|rebase|behind|up.to.date|base branch was modified/i },
  {
    words: /sign(?:ed|ature)/i,
    code: 'conflict',
    hint: 'the branch takes signed commits only, so merge it at the host, or have Docwright sign its commits',
  },
  {
    words: /try again later/i,
    code: 'conflict',
    hint: 'the host has not worked out yet whether it can be merged, or it conflicts with its base',
  },
]
