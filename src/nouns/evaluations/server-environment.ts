/** Settings of models and of the work on jobs; all others of this program stay here. */
const passedOn =
  /^DOCWRIGHT_(?:MODEL(?:_FIRST_TEXT_SECONDS|_ANSWER_SECONDS|_CALLS|_WINDOWS)?|JOB_MAX_[A-Z]+)(?:_FILE)?$/
const withheld =
  /^(?:DOCWRIGHT_|GITHUB_|GITLAB_|GITEA_|BITBUCKET_|OTEL_|PG|(?:DATABASE_URL|HOST|PORT|LOG_LEVEL)(?:_FILE)?$)/

/** What the server of an evaluation gets of the environment: nothing that leads to a database, a git host or people. */
export function serverEnvironment(environment: NodeJS.ProcessEnv, concurrency: number): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => passedOn.test(name) || !withheld.test(name))
  return {
    ...Object.fromEntries(kept),
    DOCWRIGHT_JOB_CONCURRENCY: String(concurrency),
    LOG_LEVEL: 'error',
  }
}
