import { z } from 'zod'
import type { CommentPlace } from '../forge.ts'
import { hostTime } from '../http/host-time.ts'

// The fields of Bitbucket's answers that are used here. Bitbucket may leave out those that are nullish.

const repository = z.object({ full_name: z.string() }).nullish()

export const pullRequestAnswer = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  draft: z.boolean().nullish(),
  close_source_branch: z.boolean().nullish(),
  // It has no repository after the fork was deleted.
  source: z.object({ branch: z.object({ name: z.string() }), repository }),
  destination: z.object({ branch: z.object({ name: z.string() }) }),
  reviewers: z.array(z.object({ uuid: z.string() })).nullish(),
  links: z.object({ html: z.object({ href: z.url({ protocol: /^https?$/ }) }) }),
})

export type PullRequest = z.output<typeof pullRequestAnswer>

const line = z.int().nullish()

export const commentAnswer = z.object({
  id: z.int(),
  created_on: hostTime,
  deleted: z.boolean().nullish(),
  pending: z.boolean().nullish(),
  content: z.object({ raw: z.string().nullish() }).nullish(),
  // Missing after the account was deleted.
  user: z
    .object({
      type: z.string().nullish(),
      uuid: z.string().nullish(),
      account_id: z.string().nullish(),
      nickname: z.string().nullish(),
      display_name: z.string().nullish(),
    })
    .nullish(),
  inline: z
    .object({
      path: z.string(),
      to: line,
      from: line,
      start_to: line,
      start_from: line,
      outdated: z.boolean().nullish(),
    })
    .nullish(),
})

export type PullRequestComment = z.output<typeof commentAnswer>

const file = z.object({ path: z.string() }).nullish()

export const diffstatAnswer = z.object({ old: file, new: file })

/** How an author is shown to people. */
export function nameOf(user: PullRequestComment['user']): string {
  return user?.nickname ?? user?.display_name ?? 'someone'
}

/** The file and line of a comment on the diff, in its new version where it has one. */
export function placeOf(inline: PullRequestComment['inline']): CommentPlace {
  if (!inline) return {}
  const isOld = inline.to == null
  return {
    path: inline.path,
    line: (isOld ? inline.from : inline.to) ?? undefined,
    startLine: (isOld ? inline.start_from : inline.start_to) ?? undefined,
    side: isOld && inline.from != null ? 'old' : undefined,
    // Bitbucket does not tell of which commit the lines are.
    outdated: inline.outdated === true ? true : undefined,
  }
}
