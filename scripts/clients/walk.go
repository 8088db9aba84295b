// What a program with the generated Go client does: a job, its events, a question, a search.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"walk/api"
)

func withKey(name string) *api.ClientWithResponses {
	key := api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(name))
		return nil
	})
	client, err := api.NewClientWithResponses(os.Getenv("URL"), key)
	check(err == nil, err)
	return client
}

func check(holds bool, about any) {
	if !holds {
		log.Fatal(about)
	}
}

func main() {
	project, domain, all := os.Getenv("PROJECT"), os.Getenv("DOMAIN"), context.Background()
	admin, reader := withKey("ADMIN_KEY"), withKey("ASSISTANT_KEY")

	created, err := admin.CreateJobWithResponse(all, project, nil, api.CreateJob{Prompt: "Fix broken links"})
	check(err == nil && created.JSON201 != nil, err)
	job := created.JSON201
	for job.Status == "active" {
		time.Sleep(500 * time.Millisecond)
		got, err := admin.GetJobWithResponse(all, project, job.Id)
		check(err == nil && got.JSON200 != nil, err)
		job = got.JSON200
	}
	check(job.Status == "completed", job)

	listed, err := admin.ListEventsWithResponse(all, project, job.Id, nil)
	check(err == nil && listed.JSON200 != nil && len(listed.JSON200.Events) > 2, err)
	first, err := listed.JSON200.Events[0].AsJobEventTurnQueued()
	check(err == nil && first.Data.Prompt == "Fix broken links", err)

	asked := strings.NewReader(`{"fp":"anonymous","messages":[{"role":"user","parts":[{"type":"text","text":"quickstart"}]}]}`)
	answer, err := reader.AskAssistantWithBodyWithResponse(all, domain, "application/json", asked)
	check(err == nil && strings.Contains(string(answer.Body), `"type":"finish"`), err)

	found, err := reader.SearchWithResponse(all, domain, api.SearchQuery{Query: "quickstart"})
	check(err == nil && found.JSON200 != nil && len(*found.JSON200) > 0, err)
}
