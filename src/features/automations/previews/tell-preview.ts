import type { HostedRepository } from '../../../integrations/forges/host.ts'
import { AppError } from '../../../lib/errors.ts'
import { sha256 } from '../../../lib/ids.ts'
import type { Store } from '../../../store/database.ts'
import { previewFooter } from './opt-out.ts'
import { settlePreview, type DuePreview } from './table.ts'

/** What previews need of a host. */
export type PreviewHost = Pick<HostedRepository, 'codeRequests' | 'setStatus'>

/** Seconds until a host is told again what it could not take. */
const pauses = [30, 120, 600, 3600]
/** Seconds between two looks at the job that documents the change. */
const secondsOfJob = 30

/**
 * Makes the comment and the status of a pull request what the preview says now. Can be repeated: what the host knows already is not said again.
 * @param link of the project's automations; undefined for a project that is gone
 * @throws what the host throws, after which it is due again
 */
export async function tellPreview(
  store: Store,
  preview: DuePreview,
  host: PreviewHost | undefined,
  link: string | undefined,
): Promise<void> {
  const { number, head, summary, token, told, isQuiet, job } = preview
  if (host === undefined || link === undefined)
    return settlePreview(store, preview, { told: undefined, again: undefined })
  const text = commentOf(preview, link)
  const digest = sha256(`${head} ${summary} ${text}`)
  // The pull request of a job that is under way is still to come, or to be merged.
  const again = job?.isActive === true || job?.pullRequest?.state === 'open' ? secondsOfJob : undefined
  if (digest === told) return settlePreview(store, preview, { told, again })
  try {
    await host.codeRequests.keepComment(number, text, `preview:${token}`, isQuiet)
    // A credential that may comment need not be one that may set a status.
    await host
      .setStatus(head, { state: 'success', description: `Documentation: ${summary}`, link })
      .catch(passOver)
  } catch (error) {
    await settlePreview(store, preview, { told: undefined, again: pauses[preview.attempts - 1] })
    throw error
  }
  await settlePreview(store, preview, { told: digest, again })
}

function passOver(error: unknown): void {
  if (error instanceof AppError && error.code === 'unavailable') throw error
}

function commentOf({ body, isQuiet, job }: DuePreview, link: string): string {
  if (isQuiet) return body
  return [...jobLine(job), body.trimEnd(), `<sub>${previewFooter} [Automations](${link})</sub>`].join('\n\n')
}

function jobLine(job: DuePreview['job']): string[] {
  if (job === undefined) return []
  const { isActive, pullRequest } = job
  if (pullRequest === undefined) return isActive ? ['Documentation is being written.'] : []
  const { number, link, state } = pullRequest
  const name = /^https?:\/\//.test(link) ? `[#${number}](${link})` : `#${number}`
  return [state === 'open' ? `**Documentation ready in ${name}**` : `Documentation: ${name} (${state})`]
}
