import { serverCommand } from '../lib/own-command.ts'
import type { Welcome } from './first-run.ts'

/** What the first start prints, once: everything a newcomer needs, as commands that work when pasted. */
export function welcomeText(url: string, { signInToken, adminKey, demo }: Welcome): string {
  const head = [
    '',
    'Docwright is running. Save these keys now; they are shown only once.',
    '',
    `  Dashboard       ${url}`,
    `  Sign-in link    ${url}/sign-in?token=${signInToken}   (single use, expires in 24 hours)`,
  ]
  if (!demo) {
    return [
      ...head,
      `  Admin key       ${adminKey}`,
      '',
      'Add your repository:',
      '',
      `  ${serverCommand} project add <path or https URL> --domain NAME`,
      '',
    ].join('\n')
  }
  const { project, assistantKey } = demo
  return [
    ...head,
    `  Project id      ${project.id}`,
    `  Domain          ${project.domain}`,
    `  Admin key       ${adminKey}`,
    `  Assistant key   ${assistantKey}`,
    '',
    'Start a job that ends in a pull request:',
    '',
    `curl -s ${url}/v2/agent/${project.id}/job \\`,
    `  -H 'Authorization: Bearer ${adminKey}' -H 'Content-Type: application/json' \\`,
    `  -d '{"prompt": "Add a note to the quickstart page: \\"The demo needs no account.\\""}'`,
    '',
    'Ask the assistant:',
    '',
    `curl -sN ${url}/discovery/v2/assistant/${project.domain}/message \\`,
    `  -H 'Authorization: Bearer ${assistantKey}' -H 'Content-Type: application/json' \\`,
    `  -d '{"fp": "anonymous", "messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "How do I add my own repository?"}]}]}'`,
    '',
  ].join('\n')
}
