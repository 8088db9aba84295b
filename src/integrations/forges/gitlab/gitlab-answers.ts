import { z } from 'zod'
import type { CommentPlace } from '../forge.ts'
import { hostTime } from '../http/host-time.ts'

// The fields of GitLab's answers that are used here. Depending on version and role, GitLab may leave out those that
// are nullish.

const access = z.object({ access_level: z.number() }).nullish()

export const projectAnswer = z.object({
  id: z.int(),
  path_with_namespace: z.string(),
  default_branch: z.string().nullish(),
  archived: z.boolean().nullish(),
  can_create_merge_request_in: z.boolean().nullish(),
  merge_requests_access_level: z.string().nullish(),
  permissions: z.object({ project_access: access, group_access: access }).nullish(),
})

export type Project = z.output<typeof projectAnswer>

export const mergeRequestAnswer = z.object({
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  web_url: z.url({ protocol: /^https?$/ }),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  draft: z.boolean().nullish(),
})

export type MergeRequest = z.output<typeof mergeRequestAnswer>

const end = z.object({ new_line: z.int().nullish(), old_line: z.int().nullish() }).nullish()
const position = z.object({
  new_path: z.string().nullish(),
  old_path: z.string().nullish(),
  new_line: z.int().nullish(),
  old_line: z.int().nullish(),
  base_sha: z.string().nullish(),
  head_sha: z.string().nullish(),
  line_range: z.object({ start: end }).nullish().catch(undefined),
})

export const noteAnswer = z.object({
  id: z.int(),
  body: z.string().nullish(),
  author: z.object({ id: z.int(), username: z.string() }).nullish(),
  created_at: hostTime,
  system: z.boolean().nullish(),
  internal: z.boolean().nullish(),
  confidential: z.boolean().nullish(),
  position: position.nullish(),
})

export type Note = z.output<typeof noteAnswer>

export const diffAnswer = z.object({ new_path: z.string().nullish(), old_path: z.string().nullish() })

/** The file and line of a comment on the diff, in its new version where it has one. */
export function placeOf(at: z.output<typeof position> | null | undefined): CommentPlace {
  const path = at?.new_path ?? at?.old_path
  if (path === null || path === undefined) return {}
  const isOld = at?.new_line == null
  const start = at?.line_range?.start
  const commit = isOld ? at?.base_sha : at.head_sha
  return {
    path,
    line: (isOld ? at?.old_line : at.new_line) ?? undefined,
    startLine: (isOld ? start?.old_line : start?.new_line) ?? undefined,
    side: isOld && at?.old_line != null ? 'old' : undefined,
    commit: commit || undefined,
  }
}
