/** What the app may do in a workspace. The guide gives the reason for each. */
export const botScopes = [
  'app_mentions:read',
  'channels:history',
  'chat:write',
  'commands',
  'groups:history',
  'im:history',
  'im:write',
  'users:read',
]

/**
 * The manifest of a Slack app, as JSON.
 * @param events where Slack sends events: an address, or a socket; undefined before the workspace is connected
 */
export function slackManifest(events: { url: string } | 'socket' | undefined): string {
  const isSocket = events === 'socket'
  const url = isSocket ? undefined : events?.url
  const manifest = {
    display_information: {
      name: 'Docwright',
      description: 'Answers questions from the docs, and changes them.',
    },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'docwright', always_online: true },
      ...(events !== undefined && {
        slash_commands: [
          {
            command: '/docwright',
            ...(url !== undefined && { url }),
            description: 'Ask about the docs, or change them',
            usage_hint: 'ask | change | jobs | link | help',
            should_escape: true,
          },
        ],
      }),
    },
    oauth_config: { scopes: { bot: botScopes } },
    settings: {
      ...(events !== undefined && {
        event_subscriptions: {
          ...(url !== undefined && { request_url: url }),
          bot_events: ['app_mention', 'app_uninstalled', 'message.channels', 'message.groups', 'message.im'],
        },
        interactivity: { is_enabled: true, ...(url !== undefined && { request_url: url }) },
      }),
      org_deploy_enabled: false,
      socket_mode_enabled: isSocket,
      token_rotation_enabled: false,
    },
  }
  return JSON.stringify(manifest, undefined, 2)
}
