import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AgentJobsApi;
import org.openapitools.client.api.AssistantApi;
import org.openapitools.client.model.AssistantMessage;
import org.openapitools.client.model.AssistantMessageMessagesInner;
import org.openapitools.client.model.CreateJob;
import org.openapitools.client.model.Job;
import org.openapitools.client.model.JobEvent;
import org.openapitools.client.model.JobStatus;
import org.openapitools.client.model.MessagePart;
import org.openapitools.client.model.SearchQuery;
import org.openapitools.client.model.SearchResult;

/** What a program with the generated Java client does: a job, its events, a question, a search. */
public final class Walk {
  private static ApiClient withKey(String name) {
    ApiClient client = new ApiClient().setBasePath(System.getenv("URL")).setReadTimeout(120_000);
    client.addDefaultHeader("Authorization", "Bearer " + System.getenv(name));
    return client;
  }

  private static void check(boolean holds, Object about) {
    if (!holds) throw new AssertionError(about);
  }

  public static void main(String[] given) throws Exception {
    String project = System.getenv("PROJECT"), domain = System.getenv("DOMAIN");
    AgentJobsApi jobs = new AgentJobsApi(withKey("ADMIN_KEY"));
    AssistantApi assistant = new AssistantApi(withKey("ASSISTANT_KEY"));

    Job job = jobs.createJob(project, new CreateJob().prompt("Fix broken links"), null);
    while (job.getStatus() == JobStatus.ACTIVE) {
      Thread.sleep(500);
      job = jobs.getJob(project, job.getId());
    }
    check(job.getStatus() == JobStatus.COMPLETED, job);

    List<JobEvent> events = jobs.listEvents(project, job.getId(), null, null).getEvents();
    check(events.size() > 2, events);
    String prompt = events.get(0).getJobEventTurnQueued().getData().getPrompt();
    check(prompt.equals("Fix broken links"), prompt);

    MessagePart text = new MessagePart().type("text").text("quickstart");
    AssistantMessageMessagesInner message =
        new AssistantMessageMessagesInner().role(AssistantMessageMessagesInner.RoleEnum.USER).addPartsItem(text);
    String answer = assistant.askAssistant(domain, new AssistantMessage().fp("anonymous").addMessagesItem(message));
    check(answer.contains("\"type\":\"finish\""), answer);

    List<SearchResult> found = assistant.search(domain, new SearchQuery().query("quickstart"));
    check(!found.isEmpty() && found.get(0).getPath() != null, found);
    System.exit(0);
  }
}
