/**
 * The manifest of the app’s package for Teams, as JSON.
 * @param publicUrl of this server, whose people make the app
 */
export function teamsManifest(appId: string, publicUrl: string): string {
  const { origin, host } = new URL(publicUrl)
  const manifest = {
    $schema: 'https://developer.microsoft.com/json-schemas/teams/v1.16/MicrosoftTeams.schema.json',
    manifestVersion: '1.16',
    version: '1.0.0',
    id: appId,
    developer: { name: host.slice(0, 32), websiteUrl: origin, privacyUrl: origin, termsOfUseUrl: origin },
    name: { short: 'Docwright', full: 'Docwright' },
    description: {
      short: 'Answers questions from the docs, and changes them.',
      full: 'Mention Docwright to ask about the docs, or to start a job that changes them.',
    },
    icons: { color: 'color.png', outline: 'outline.png' },
    accentColor: '#FFFFFF',
    bots: [
      {
        botId: appId,
        scopes: ['personal', 'team', 'groupChat'],
        commandLists: [
          {
            scopes: ['personal', 'team', 'groupChat'],
            commands: [
              { title: 'help', description: 'Show what the app can do' },
              { title: 'jobs', description: 'Show the last jobs' },
              { title: 'link', description: 'Link your account' },
              { title: 'unlink', description: 'Unlink your account' },
            ],
          },
        ],
      },
    ],
    validDomains: [],
  }
  return JSON.stringify(manifest, undefined, 2)
}
