import { readAboutChange } from '../../features/agent/about-change.ts'
import { leftOutText, optOutOf, previewFooter } from '../../features/automations/previews/opt-out.ts'
import type { RangeImpact } from '../../features/impact/assess-range.ts'
import { impactMarkdown, impactSummary } from '../../features/impact/impact-markdown.ts'
import type { HostedRepository } from '../../integrations/forges/host.ts'
import { AppError, messageOf } from '../../lib/errors.ts'

/** Opens the repository of a page at a host with the credential of the environment; undefined without one. */
export type OpenHosted = (
  address: string,
) => Promise<Pick<HostedRepository, 'codeRequests' | 'setStatus'> | undefined>

const longestComment = 20_000

/**
 * Keeps one comment and a status on a pull request, as rules of a server do.
 * @returns what was done, as a sentence
 * @throws AppError `invalid` for an address without a pull request or a credential, `unavailable` while its host is away
 */
export async function commentImpact(
  openHosted: OpenHosted,
  address: string,
  { impact, root }: { impact: RangeImpact; root: string },
): Promise<string> {
  const number = readAboutChange(address)?.pullRequest
  if (number === undefined || !URL.canParse(address))
    throw new AppError('invalid', `--comment must be the URL of a pull request: ${address.slice(0, 200)}`)
  const hosted = await openHosted(address)
  if (hosted === undefined)
    throw new AppError(
      'invalid',
      'No credential for the git host. Set GITHUB_TOKEN, GITLAB_TOKEN, GITEA_TOKEN, or BITBUCKET_TOKEN',
    )
  try {
    return await comment(hosted, number, { impact, root })
  } catch (error) {
    // A pull request from a fork gets a token that may only read. The report is printed in any case.
    if (error instanceof AppError && ['forbidden', 'unauthorized'].includes(error.code))
      return `No comment was written: ${messageOf(error)}.`
    throw error
  }
}

async function comment(
  hosted: Pick<HostedRepository, 'codeRequests' | 'setStatus'>,
  number: number,
  { impact, root }: { impact: RangeImpact; root: string },
): Promise<string> {
  // Several sites in one repository have a comment each.
  const marker = `impact:${root === '' ? 'all' : root}`
  const request = (await hosted.codeRequests.list()).find((one) => one.number === number)
  const optOut = request && optOutOf(request)
  if (optOut !== undefined) {
    await hosted.codeRequests.keepComment(number, leftOutText, marker, true)
    return `The pull request opts out: ${optOut}`
  }
  const body = impactMarkdown(impact).slice(0, longestComment).trimEnd()
  await hosted.codeRequests.keepComment(number, `${body}\n\n<sub>${previewFooter}</sub>`, marker)
  if (request === undefined) return 'Comment kept up to date.'
  try {
    const description = `Documentation: ${impactSummary(impact)}`
    await hosted.setStatus(request.headCommit, { state: 'success', description, link: request.link })
    return 'Comment and status kept up to date.'
  } catch (error) {
    // A credential that may comment need not be one that may set a status.
    return `Comment kept up to date, without a status: ${messageOf(error)}.`
  }
}
