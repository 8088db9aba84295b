import type { ProjectSettings } from '../../../../features/projects/settings.ts'

/** Settings as the fields of the forms. */
export function settingsValues(settings: ProjectSettings): URLSearchParams {
  const { budget, pullRequest, enrichment } = settings
  const values = {
    visibility: settings.visibility,
    site: settings.site,
    model: settings.model,
    assistantModel: settings.assistantModel,
    assistantTokensPerDay: settings.assistantTokensPerDay,
    assistantQueries: settings.assistantQueries,
    assistantFiles: settings.assistantFiles === true ? 'yes' : undefined,
    retentionDays: settings.retentionDays,
    assistantInstructions: settings.assistantInstructions,
    assistantStarters: settings.assistantStarters?.join('\n'),
    assistantRefuse: settings.assistantRefuse?.join('\n'),
    assistantContact: settings.assistantContact,
    ...budget,
    onProblems: settings.onProblems,
    branchPrefix: settings.branchPrefix,
    signOff: settings.signOff,
    enrichQuestions: enrichment?.questions,
    enrichVectors: enrichment?.vectors,
    enrichCeiling: enrichment?.ceiling,
    allow: settings.allow?.join('\n'),
    protect: settings.protect?.join('\n'),
    allowedHosts: settings.allowedHosts?.join('\n'),
    allowedImports: settings.allowedImports?.join('\n'),
    draft: pullRequest?.draft === true ? 'yes' : undefined,
    labels: pullRequest?.labels?.join(', '),
    reviewers: pullRequest?.reviewers?.join(', '),
    assignees: pullRequest?.assignees?.join(', '),
    trusted: settings.trusted?.join(', '),
  }
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) fields.set(name, String(value))
  return fields
}
