import type { TestModel } from '../../integrations/models/offered-model.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { toAppError } from '../../api/errors.ts'
import type { Pages, Visit } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import type { Project } from '../../features/projects/projects.ts'
import { verbForm } from '../../verbs/form.ts'
import { connectionForms } from '../connections/page.ts'
import type { ProjectPorts } from '../projects/present-project.ts'
import { addContextRepository, removeContextRepository } from '../projects/run.ts'
import { readSettings } from '../../verbs/setting-fields.ts'
import { contextFields } from './context-section.ts'
import { changeSettings } from './run.ts'
import { groupPath, groups, type SettingsGroup } from '../../api/frame/settings-tab.ts'
import { settingsPage, showSettings, type SettingsPorts } from './page.ts'

interface Ports extends SettingsPorts, ProjectPorts {
  testModel: TestModel
}

/** The pages of the settings, with their forms. A refusal is shown beside its form. */
export function settingsPages(pages: Pages, ports: Ports): Endpoint[] {
  return [
    ...groups.flatMap(({ name }) => {
      const page = showSettings(pages, ports, name)
      const done =
        (said: string) =>
        ({ context, project }: Visit & { project: Project }): Response =>
          context.redirect(`${groupPath(project, name)}?done=${said}`, 303)
      if (name === 'host') return [page, ...connectionForms(pages, ports, { shownOn: page, done })]
      return [
        page,
        changeForm(pages, ports, name, { shownOn: page, done: done('settings') }),
        ...(name === 'agent' ? contextForms(pages, ports, { shownOn: page, done }) : []),
      ]
    }),
    testModelForm(pages, ports),
  ]
}

type Done = (visit: Visit & { project: Project }) => Response

function changeForm(
  pages: Pages,
  ports: Ports,
  group: Exclude<SettingsGroup, 'host'>,
  { shownOn, done }: { shownOn: Endpoint; done: Done },
): Endpoint {
  return verbForm(pages, ports, `/projects/{domain}/settings/${group}`, changeSettings, {
    shownOn,
    reads: ({ form, project }) => readSettings(group, form, project.settings),
    given: () => ({}),
    done,
  })
}

function contextForms(
  pages: Pages,
  ports: Ports,
  { shownOn, done }: { shownOn: Endpoint; done: (said: string) => Done },
): Endpoint[] {
  return [
    verbForm(pages, ports, '/projects/{domain}/context', addContextRepository, {
      typed: contextFields,
      shownOn,
      given: () => ({}),
      done: done('context-added'),
    }),
    verbForm(pages, ports, '/projects/{domain}/context/remove', removeContextRepository, {
      shownOn,
      given: ({ form }) => ({ name: fieldOf(form, 'name') }),
      done: done('context-removed'),
    }),
  ]
}

const workOf = {
  assistant: { answers: true, jobs: false },
  agent: { answers: false, jobs: true },
}

/** Tries a model, and shows on the page of the form what came of it. */
function testModelForm(pages: Pages, ports: Ports): Endpoint {
  return pages.projectForm(
    '/projects/{domain}/settings/test-model',
    'testModel',
    async ({ project, form, ...visit }) => {
      const model = fieldOf(form, 'model')
      const group = fieldOf(form, 'group') === 'assistant' ? 'assistant' : 'agent'
      const tried = await ports.testModel(model, workOf[group]).then(
        (outcome) => ({ model, outcome, works: true }),
        (thrown: unknown) => {
          const error = toAppError(thrown)
          if (error.code === 'internal') throw thrown
          return { model, outcome: error.message, works: false }
        },
      )
      return settingsPage(ports, visit, project, group, tried)
    },
  )
}
