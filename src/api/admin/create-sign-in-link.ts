import { createSignInLink } from '../../features/projects/sign-in.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'

/** Endpoint of `docwright sign-in`: a new one-time link to the dashboard, good for a day. */
export function createSignInLinkEndpoint(dependencies: {
  access: Access
  store: Store
  publicUrl(): string
}): Endpoint {
  return {
    route: { method: 'post', path: '/admin/sign-in-links', responses: {}, hide: true },
    async handle(context) {
      dependencies.access.operator(context)
      const secret = await dependencies.store.transaction((tx) => createSignInLink(tx, 24))
      return context.json({ url: `${dependencies.publicUrl()}/sign-in?token=${secret}` }, 201)
    },
  }
}
