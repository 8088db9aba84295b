import type { Project } from '../features/projects/projects.ts'
import type { Sharer, RequestContext } from './endpoint.ts'

export const sharerKinds = ['address', 'key', 'person', 'project', 'organization'] as const

/** Before the key is checked only the address is known; tests without a connection know nothing. */
export function sharerOf(context: Pick<RequestContext, 'get'>): Sharer {
  return context.get('sharer') ?? {}
}

/** Notes for whose project a request is, once its caller is known to have access. */
export function shareAsProject(
  context: Pick<RequestContext, 'get' | 'set'>,
  { id, organizationId: organization }: Pick<Project, 'id' | 'organizationId'>,
  key?: string,
): void {
  context.set('sharer', { ...sharerOf(context), key, project: id, organization })
}
