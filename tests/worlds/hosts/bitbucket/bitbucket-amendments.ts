import type { Amendment } from '../described-api.ts'

const own = '/repositories/{workspace}/{repo_slug}'

const parameters = (path: string, more: { name: string; schema?: object }[] = []): Amendment[] =>
  [
    { name: 'page', schema: { type: 'integer' } },
    { name: 'pagelen', schema: { type: 'integer' } },
    ...more,
  ].map((one) => ({
    why: 'every list has pages, some can be searched and sorted: the introduction says so, not the lists',
    at: ['paths', path, 'get', 'parameters', '+'],
    value: { in: 'query', ...one },
  }))

/** Where Bitbucket's guide to its API, or Bitbucket itself, says otherwise than the description. */
export const bitbucketAmendments: Amendment[] = [
  ...parameters(`${own}/pullrequests`, [{ name: 'q' }, { name: 'sort' }]),
  ...parameters(`${own}/pullrequests/{pull_request_id}/comments`),
  ...parameters(`${own}/hooks`),
  ...parameters(`${own}/permissions-config/groups`),
  ...parameters('/workspaces/{workspace}/members'),
  ...parameters('/workspaces/{workspace}/permissions/repositories/{repo_slug}'),
  // By the words of the description, of which the list of parameters knows nothing.
  ...parameters(`${own}/commits`, [{ name: 'include' }, { name: 'exclude' }]),
  // By the address that Bitbucket itself sends on to.
  ...parameters(`${own}/diffstat/{spec}`, [{ name: 'from_pullrequest_id', schema: { type: 'integer' } }]),
  {
    why: 'what has ended cannot be declined, and is refused in words',
    at: ['paths', `${own}/pullrequests/{pull_request_id}/decline`, 'post', 'responses', '400'],
    value: { content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } } },
  },
  {
    why: 'what cannot be merged now is refused in words',
    at: ['paths', `${own}/pullrequests/{pull_request_id}/merge`, 'post', 'responses', '400'],
    value: { content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } } },
  },
  {
    why: 'the diffstat of no pull request is not found',
    at: ['paths', `${own}/pullrequests/{pull_request_id}/diffstat`, 'get', 'responses', '404'],
    value: {},
  },
  {
    why: 'nor is that of a branch that is gone',
    at: ['paths', `${own}/diffstat/{spec}`, 'get', 'responses', '404'],
    value: {},
  },
  {
    why: 'what is sent need not say of what type it is: no example of the description does',
    at: ['components', 'schemas', 'object', 'required'],
    value: [],
  },
  {
    why: 'where scopes are lacking they are told, as an object',
    at: ['components', 'schemas', 'error', 'properties', 'error', 'properties', 'detail'],
    value: {},
  },
]
