import type { z } from '@hono/zod-openapi'
import { defaultBranch } from '../projects/setup/add-project.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Pages, ShownPage, Visit } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { verbForm } from '../../verbs/form.ts'
import type { ProjectPorts } from '../projects/present-project.ts'
import { readCredential } from '../../api/frame/credential-fields.ts'
import { syncAsked } from '../../api/frame/html/sync-state.ts'
import { checkHost, connectProject, forgetCredential } from './run.ts'

type Connect = z.input<(typeof connectProject)['verb']['input']>

type Done = (visit: Visit & { project: Project }) => Response

const base = '/projects/{domain}/host'
const none = { only: [] } as const
/** The page asks the host what it says now, which the form must not wait for as well. */
const unasked = () => Promise.resolve(null)

/**
 * The forms that change how a project is connected.
 * @param shownOn their page
 * @param done goes back there, with what is said
 */
export function connectionForms(
  pages: Pages,
  ports: ProjectPorts,
  { shownOn, done }: { shownOn: ShownPage; done: (said: string) => Done },
): Endpoint[] {
  const credential = (name: 'token' | 'app'): Endpoint =>
    verbForm(pages, ports, `${base}/${name}`, connectProject, {
      typed: none,
      shownOn,
      given: ({ form }) => ({ credential: givenCredential(form) }),
      done: done('connected'),
    })
  return [
    credential('token'),
    credential('app'),
    verbForm(pages, ports, `${base}/repository`, connectProject, {
      typed: { only: ['host'] },
      shownOn,
      given: ({ form, project }) => readRepository(form, project),
      done: done('connected'),
    }),
    verbForm(pages, ports, `${base}/move`, connectProject, {
      typed: { only: ['location', 'ref'], required: ['location'] },
      shownOn,
      given: ({ form }) => ({ credential: readCredential(form), fork: readFork(form) }),
      done: done('moved'),
    }),
    verbForm(pages, ports, `${base}/check`, checkHost(unasked), {
      given: () => ({}),
      done: done('checked'),
    }),
    verbForm(pages, ports, `${base}/forget-credential`, forgetCredential(unasked), {
      given: () => ({}),
      done: done('forgotten'),
    }),
    // The project’s page proposes another folder of the pages when its own has none.
    verbForm(pages, ports, '/projects/{domain}/root', connectProject, {
      typed: none,
      given: ({ form }) => ({ root: fieldOf(form, 'root') }),
      done: ({ context, project }) => context.redirect(syncAsked(project), 303),
    }),
  ]
}

function givenCredential(form: URLSearchParams): NonNullable<Connect['credential']> {
  const credential = readCredential(form)
  if (!credential) throw new AppError('invalid', 'Enter the token, or the id and the key of the app')
  return credential
}

function readRepository(form: URLSearchParams, { followsDefault }: Project): Connect {
  const [ref, fork] = [fieldOf(form, 'ref'), fieldOf(form, 'fork')]
  return {
    fork: fork === '' ? null : fork,
    ref: ref !== '' ? ref : followsDefault ? undefined : defaultBranch,
    ...(form.has('root') && { root: fieldOf(form, 'root') }),
  }
}

/** An absent field changes nothing; an empty one removes the fork. */
function readFork(form: URLSearchParams): string | null | undefined {
  const fork = fieldOf(form, 'fork')
  return fork === '' && form.has('fork') ? null : fork || undefined
}
