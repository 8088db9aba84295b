import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer, type TestServer } from './server.ts'

/** A server that is connected to a platform of chats, and may be killed and started again on its data. */
export class ChatServer implements AsyncDisposable {
  server: TestServer
  /** Of the first start. */
  readonly welcome: TestServer['welcome']
  /** Where the platform calls this server, once a workspace is connected. */
  events = ''
  readonly #environment: Record<string, string>

  static async start(environment: Record<string, string>): Promise<ChatServer> {
    return new ChatServer(await startServer({ environment }), environment)
  }

  private constructor(server: TestServer, environment: Record<string, string>) {
    this.server = server
    this.welcome = server.welcome
    this.#environment = environment
  }

  get workspaces(): string {
    return `/v2/chat/${this.welcome.projectId}/workspaces`
  }

  /** A request of the operator. */
  async request(method: string, path: string, body?: unknown): Promise<Response> {
    const token = await readFile(join(this.server.dataFolder, 'operator-token'), 'utf8')
    return this.server.request(method, path, { key: token.trim(), body })
  }

  /** Ends the server in the middle of what it does, and starts it again. */
  async killAndRestart(meanwhile: () => unknown): Promise<void> {
    const { dataFolder } = this.server
    await this.server.stop('SIGKILL')
    await meanwhile()
    this.server = await startServer({ dataFolder, environment: this.#environment })
    if (this.events !== '') this.events = `${this.server.url}${new URL(this.events).pathname}`
  }

  /** An account with a role, and its session. */
  async signUp(role: string, name: string): Promise<{ cookie: string; csrf: string }> {
    const invited = await this.request(
      'POST',
      `/admin/organizations/${await this.organization()}/invitations`,
      {
        role,
      },
    )
    const { url } = (await invited.json()) as { url: string }
    const joined = await this.server.request('POST', '/admin/invitations/accept', {
      body: {
        token: new URL(url).searchParams.get('token'),
        name,
        email: `${name.toLowerCase()}@example.com`,
        password: 'correct horse battery',
      },
    })
    const cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { cookie, csrf: ((await joined.json()) as { csrfToken: string }).csrfToken }
  }

  async organization(): Promise<string> {
    const listed = (await (await this.request('GET', '/admin/organizations')).json()) as { id: string }[]
    return listed[0]?.id ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }
}
