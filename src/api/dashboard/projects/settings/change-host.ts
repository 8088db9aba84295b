import { defaultBranch } from '../../../../features/projects/add-project.ts'
import type { ConnectInput } from '../../../../features/projects/connections/connect-project.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'
import { readCredential } from '../credential-fields.ts'
import { readHostKind } from '../host-kind-field.ts'
import { refusalOf } from '../refused-form.ts'
import { settingsPage } from './settings-page.ts'
import type { HostForm } from './host-forms.ts'

/** The forms of the section about the git host. */
export function changeHostEndpoints(ports: DashboardPorts): Endpoint[] {
  return [
    connect(ports, 'token', (form) => ({ credential: givenCredential(form) })),
    connect(ports, 'app', (form) => ({ credential: givenCredential(form) })),
    connect(ports, 'repository', readRepository),
    connect(ports, 'move', readMove, 'moved'),
    act(ports, 'check', 'checked', (project) => ports.hosts.check(project)),
    act(ports, 'forget-credential', 'forgotten', (project) => ports.hosts.forgetCredential(project)),
  ]
}

function connect(
  ports: DashboardPorts,
  name: HostForm,
  read: (form: URLSearchParams, project: Project) => ConnectInput,
  done = 'connected',
): Endpoint {
  return form(ports, `/projects/{domain}/host/${name}`, async ({ context, session, form }) => {
    const project = await projectOf(ports, context)
    try {
      await ports.hosts.connect(project, read(form, project))
    } catch (thrown) {
      const refusal = refusalOf(ports, context, thrown)
      return settingsPage(ports, { context, session }, project, { form: name, values: form, refusal })
    }
    return context.redirect(`/projects/${project.domain}/settings?done=${done}`, 303)
  })
}

function act(
  ports: DashboardPorts,
  verb: string,
  done: string,
  work: (project: Project) => Promise<void>,
): Endpoint {
  return form(ports, `/projects/{domain}/host/${verb}`, async ({ context }) => {
    const project = await projectOf(ports, context)
    await work(project)
    return context.redirect(`/projects/${project.domain}/settings?done=${done}`, 303)
  })
}

function givenCredential(form: URLSearchParams): NonNullable<ConnectInput['credential']> {
  const credential = readCredential(form)
  if (!credential) throw new AppError('invalid', 'Give the token, or the id and the key of the app')
  return credential
}

function readRepository(form: URLSearchParams, { followsDefault }: Project): ConnectInput {
  const [ref, fork] = [fieldOf(form, 'ref'), fieldOf(form, 'fork')]
  return {
    host: readHostKind(form),
    fork: fork === '' ? null : fork,
    ref: ref !== '' ? ref : followsDefault ? undefined : defaultBranch,
  }
}

function readMove(form: URLSearchParams): ConnectInput {
  const [ref, fork] = [fieldOf(form, 'ref'), fieldOf(form, 'fork')]
  return {
    location: fieldOf(form, 'location'),
    credential: readCredential(form),
    ref: ref === '' ? undefined : ref,
    // Without the field there is none to leave.
    fork: fork === '' && form.has('fork') ? null : fork || undefined,
  }
}
