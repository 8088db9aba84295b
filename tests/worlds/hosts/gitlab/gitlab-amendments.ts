import type { Amendment } from '../described-api.ts'

const schemas = ['components', 'schemas']
const status = ['paths', '/projects/{id}/statuses/{sha}', 'post', 'responses', '201']

/** Where GitLab's guide to its API, or GitLab itself, says otherwise than the description. */
export const gitLabAmendments: Amendment[] = [
  {
    why: 'a level of access is a number: 30 for developers',
    at: [...schemas, 'APIEntitiesMember', 'properties', 'access_level', 'type'],
    value: 'integer',
  },
  {
    why: 'a token ends on a day',
    at: [...schemas, 'APIEntitiesPersonalAccessTokenWithLastUsedIps', 'properties', 'expires_at', 'format'],
    value: 'date',
  },
  {
    why: 'what is posted is answered with 201, the status of a commit as well',
    at: status,
    value: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/APIEntitiesCommitStatus' } } },
    },
  },
]
