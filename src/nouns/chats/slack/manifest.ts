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
 * @param url where Slack sends events; undefined before the workspace is connected
 */
export function slackManifest(url: string | undefined): string {
  const manifest = {
    display_information: {
      name: 'Docwright',
      description: 'Answers questions from the docs, and changes them.',
    },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'docwright', always_online: true },
      ...(url !== undefined && {
        slash_commands: [
          {
            command: '/docwright',
            url,
            description: 'Ask about the docs, or change them',
            usage_hint: 'ask | change | jobs | link | help',
            should_escape: true,
          },
        ],
      }),
    },
    oauth_config: { scopes: { bot: botScopes } },
    settings: {
      ...(url !== undefined && {
        event_subscriptions: {
          request_url: url,
          bot_events: ['app_mention', 'app_uninstalled', 'message.channels', 'message.groups', 'message.im'],
        },
        interactivity: { is_enabled: true, request_url: url },
      }),
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  }
  return JSON.stringify(manifest, undefined, 2)
}
