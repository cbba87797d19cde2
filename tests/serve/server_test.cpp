#include "orthant/serve/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "tests/serve/client.h"
#include "tests/serve/running_server.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using test::ask;
using test::Client;
using test::RunningServer;
using testing::HasSubstr;
using testing::StartsWith;
using std::chrono_literals::operator""ms;

std::string get(const std::string& target) { return join("GET ", target, " HTTP/1.1\r\nHost: localhost\r\n\r\n"); }

Reply echo(const Request& request) {
  std::string body = request.method + " " + request.path;
  for (const auto& [name, value] : request.query) body += " " + name + "=" + value;
  return {.type = "text/plain", .body = body + "|" + request.body};
}

TEST(Server, AnswersOneRequestAfterTheOther) {
  const RunningServer server(echo);
  Client client(server.port());
  for (int r = 0; r < 3; ++r) {
    client.send(get(join("/a/", r, "?x=%41+b")));
    const auto answer = client.receive();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, join("GET /a/", r, " x=A b|"));
    EXPECT_THAT(answer.head, HasSubstr("X-Content-Type-Options: nosniff\r\n"));
    EXPECT_THAT(answer.head, HasSubstr("Cache-Control: no-store\r\n"));
    EXPECT_THAT(answer.head, HasSubstr("Content-Type: text/plain\r\n"));
  }
}

TEST(Server, AnswersRequestsThatCameTogetherInTheirOrder) {
  const RunningServer server(echo);
  Client client(server.port());
  client.send(get("/1") + "POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody" + get("/3"));
  EXPECT_EQ(client.receive().body, "GET /1|");
  EXPECT_EQ(client.receive().body, "POST /2|body");
  EXPECT_EQ(client.receive().body, "GET /3|");
}

TEST(Server, AnswersARequestThatComesByteByByte) {
  const RunningServer server(echo);
  Client client(server.port());
  for (const char byte : std::string("PUT /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")) {
    client.send({&byte, 1});
  }
  EXPECT_EQ(client.receive().body, "PUT /x|abc");
}

TEST(Server, AnswersRequestsHoweverTheyAreCut) {
  const RunningServer server(echo);
  Rng rng(4);
  Client client(server.port());
  std::string stream;
  for (int r = 0; r < 40; ++r) {
    const std::string body(rng.below(200), 'b');
    stream +=
        join("PUT /", r, "?q=%2", r % 10, " HTTP/1.1\r\nHost: x\r\nContent-Length: ", body.size(), "\r\n\r\n", body);
  }
  while (!stream.empty()) {
    const size_t count = std::min<size_t>(1 + rng.below(300), stream.size());
    client.send(stream.substr(0, count));
    stream.erase(0, count);
  }
  for (int r = 0; r < 40; ++r) {
    const char q = static_cast<char>(0x20 + r % 10);
    EXPECT_THAT(client.receive().body, StartsWith(join("PUT /", r, " q=", q, "|")));
  }
}

TEST(Server, AnEmptyTargetIsRefused) {
  const RunningServer server(echo);
  Client client(server.port());
  client.send("GET  HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.receive().status, 400);
  EXPECT_TRUE(client.ends());
}

TEST(Server, OldClientsAreAnsweredOnceUnlessTheyAskForMore) {
  const RunningServer server(echo);
  Client once(server.port());
  once.send("GET /a HTTP/1.0\r\n\r\n");
  EXPECT_EQ(once.receive().body, "GET /a|");
  EXPECT_TRUE(once.ends());
  Client kept(server.port());
  for (int r = 0; r < 2; ++r) {
    kept.send("GET /b HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
    const auto answer = kept.receive();
    EXPECT_EQ(answer.body, "GET /b|");
    EXPECT_THAT(answer.head, HasSubstr("Connection: keep-alive\r\n"));
  }
}

TEST(Server, UnknownMethodsAreToldTheKnownOnes) {
  const RunningServer server(echo);
  const auto answer = ask(server.port(), "BREW / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(answer.status, 405);
  EXPECT_THAT(answer.head, HasSubstr("Allow: GET, HEAD, PUT, POST\r\n"));
}

TEST(Server, BodiesAreTakenAsTheyAre) {
  const RunningServer server(echo);
  const std::string body("a\0b\r\n\r\n--x--&%41=\xff", 18);
  for (const char* type : {"multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "image/png"}) {
    const auto answer = ask(server.port(), std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ") + type +
                                               "\r\nContent-Length: 18\r\n\r\n" + body);
    EXPECT_EQ(answer.body, "POST /|" + body) << type;
  }
}

TEST(Server, LargeBodiesPassInBothDirections) {
  const RunningServer server([](const Request& request) { return Reply{.body = request.body + request.body}; });
  const std::string body(10'000'000, 'x');
  Client client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n" + body);
  EXPECT_EQ(client.receive().body, body + body);
}

TEST(Server, WaitsForTheBodyOfAClientThatWaits) {
  const RunningServer server(echo);
  Client client(server.port());
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive().status, 100);
  client.send("abc");
  EXPECT_EQ(client.receive().body, "PUT /|abc");
}

TEST(Server, HeadIsAnsweredWithoutABody) {
  const RunningServer server(echo);
  Client client(server.port());
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto answer = client.receive(true);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Length: 8\r\n"));
  client.send(get("/b"));
  EXPECT_EQ(client.receive().body, "GET /b|");
}

TEST(Server, NeitherRangesNorCompressionChangeAnAnswer) {
  const RunningServer server(
      [](const Request&) { return Reply{.type = "text/plain", .body = std::string(5000, 'a')}; });
  const auto answer = ask(server.port(),
                          "GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1,2-3,4-5\r\n"
                          "Accept-Encoding: gzip, br\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, std::string(5000, 'a'));
}

TEST(Server, ClosesWhenAskedTo) {
  const RunningServer server(echo);
  Client client(server.port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.receive().body, "GET /a|");
  EXPECT_TRUE(client.ends());
}

TEST(Server, ErrorsAreOneLineOfJsonAndTellNothingOfTheInside) {
  const RunningServer server([](const Request& request) -> Reply {
    if (request.path == "/status") throw StatusError(415, "no picture");
    if (request.path == "/value") throw std::invalid_argument("[x] expected 1, got \"2\"\nat line 3");
    if (request.path == "/io") throw IoError("[f] expected \xff");
    if (request.path == "/other") throw std::logic_error("vector::_M_range_check");
    throw 1;
  });
  const auto body = [&](const char* path) { return ask(server.port(), get(path)); };
  EXPECT_EQ(body("/status").status, 415);
  EXPECT_EQ(body("/status").body, R"({"error":"no picture"})");
  EXPECT_EQ(body("/value").status, 400);
  EXPECT_EQ(body("/value").body, R"({"error":"[x] expected 1, got \"2\""})");
  EXPECT_EQ(body("/io").body, "{\"error\":\"[f] expected \xef\xbf\xbd\"}");
  EXPECT_EQ(body("/other").status, 500);
  EXPECT_EQ(body("/other").body, R"({"error":"the server could not answer this"})");
  EXPECT_EQ(body("/thrown").status, 500);
  EXPECT_THAT(body("/thrown").head, HasSubstr("Content-Type: application/json\r\n"));
}

TEST(Server, RefusedRequestsGetTheirAnswerEvenWhileTheyAreStillSent) {
  const RunningServer server(echo);
  Client client(server.port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n");
  client.send(std::string(3'000'000, 'x'));
  const auto answer = client.receive();
  EXPECT_EQ(answer.status, 413);
  EXPECT_THAT(answer.body, HasSubstr(R"({"error":"expected a body of at most 10000000 bytes, got 20000000"})"));
  EXPECT_TRUE(client.ends());
}

TEST(Server, RefusesLongTargetsAndHeads) {
  const RunningServer server(echo);
  EXPECT_EQ(ask(server.port(), get(join("/", std::string(5000, 'a')))).status, 414);
  EXPECT_EQ(ask(server.port(), get(join("/", std::string(4000, '/')))).status, 200);
  EXPECT_EQ(ask(server.port(), get("/a") + "GET / HTTP/1.1\r\nA: " + std::string(20'000, 'a')).status, 200);
  EXPECT_EQ(ask(server.port(), "GET / HTTP/1.1\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n").status, 431);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int f = 0; f < 5000; ++f) many += "A: b\r\n";
  EXPECT_EQ(ask(server.port(), many + "\r\n").status, 431);
}

TEST(Server, SlowClientsAreToldAndDropped) {
  ServerOptions options;
  options.patience = {.idle = 100ms, .head = 100ms, .body = 200ms};
  const RunningServer server(echo, options);
  Client head(server.port());
  head.send("GET / HTT");
  EXPECT_EQ(head.receive().status, 408);
  EXPECT_TRUE(head.ends());
  Client body(server.port());
  body.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na");
  EXPECT_EQ(body.receive().status, 408);
  Client idle(server.port());
  EXPECT_TRUE(idle.ends());
  Client kept(server.port());
  kept.send(get("/"));
  EXPECT_EQ(kept.receive().status, 200);
  EXPECT_TRUE(kept.ends());
}

TEST(Server, ClientsThatDoNotReadAreDropped) {
  ServerOptions options;
  options.patience = {.write = 50ms};
  const RunningServer server([](const Request&) { return Reply{.body = std::string(50'000'000, 'x')}; }, options);
  bool dropped = false;
  for (int tries = 1; tries <= 20 && !dropped; ++tries) {
    Client client(server.port());
    client.send(get("/"));
    std::this_thread::sleep_for(tries * 300ms);
    dropped = client.receive().status == 0;
  }
  EXPECT_TRUE(dropped);
}

TEST(Server, AThousandIdleClientsStopNobody) {
  const RunningServer server(echo);
  std::vector<Client> idle;
  for (int c = 0; c < 1000; ++c) {
    idle.emplace_back(server.port());
    if (c % 2 == 0) idle.back().send("GET /half HTTP/1.1\r\nHo");
  }
  for (int r = 0; r < 20; ++r) EXPECT_EQ(ask(server.port(), get("/")).status, 200);
  idle[0].send("st: x\r\n\r\n");
  EXPECT_EQ(idle[0].receive().status, 200);
  idle[1].send(get("/late"));
  EXPECT_EQ(idle[1].receive().body, "GET /late|");
}

TEST(Server, TheLongestSilentConnectionGivesWay) {
  ServerOptions options;
  options.most_connections = 8;
  const RunningServer server(echo, options);
  std::vector<Client> clients;
  for (int c = 0; c < 30; ++c) {
    clients.emplace_back(server.port());
    clients.back().send(get(join("/", c)));
    EXPECT_EQ(clients.back().receive().status, 200) << c;
  }
  EXPECT_TRUE(clients.front().ends());
  clients.back().send(get("/again"));
  EXPECT_EQ(clients.back().receive().body, "GET /again|");
}

TEST(Server, IsBusyWhenTooManyRequestsWait) {
  std::promise<void> go;
  const std::shared_future<void> going = go.get_future().share();
  std::atomic<int> begun = 0;
  ServerOptions options;
  options.workers = 1;
  options.most_waiting = 1;
  const RunningServer server(
      [&](const Request&) {
        ++begun;
        going.wait();
        return Reply{};
      },
      options);
  Client working(server.port());
  working.send(get("/"));
  while (begun == 0) std::this_thread::sleep_for(1ms);
  Client waiting(server.port());
  waiting.send(get("/"));
  int busy = 0;
  while (busy == 0) {
    Client other(server.port());
    other.send(get("/"));
    if (const auto answer = other.receive(); answer.status == 503) busy = answer.status;
  }
  EXPECT_EQ(busy, 503);
  go.set_value();
  EXPECT_EQ(working.receive().status, 200);
  EXPECT_EQ(waiting.receive().status, 200);
}

TEST(Server, LargeBodiesTogetherAreLimited) {
  ServerOptions options;
  options.most_held = 15'000'000;
  const RunningServer server(echo, options);
  const std::string head = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n";
  const std::string half(5'000'000, 'x');
  Client first(server.port());
  first.send(head + half);
  Client second(server.port());
  second.send(head + std::string(100'000, 'x'));
  EXPECT_EQ(second.receive().status, 503);
  first.send(half);
  EXPECT_EQ(first.receive().status, 200);
}

TEST(Server, FinishesWhatItIsAtWhenStopped) {
  std::atomic<bool> begun = false;
  RunningServer server([&](const Request&) {
    begun = true;
    std::this_thread::sleep_for(300ms);
    return Reply{.body = "finished"};
  });
  Client client(server.port());
  client.send(get("/"));
  while (!begun) std::this_thread::sleep_for(1ms);
  server.stop();
  EXPECT_EQ(client.receive().body, "finished");
  EXPECT_TRUE(client.ends());
  EXPECT_FALSE(Client(server.port()).connected());
}

TEST(Server, SaysWhatIsWrongWithAnAddress) {
  EXPECT_THAT(test::message_of([] { Server server(echo, {.address = "192.0.2.1"}); }),
              HasSubstr("[192.0.2.1 port 0] expected to listen there, got: "));
  EXPECT_THAT(test::message_of([] { Server server(echo, {.address = "no such name"}); }),
              HasSubstr("expected an address of this machine, got: "));
  const Server first(echo);
  EXPECT_THAT(test::message_of([&] { Server server(echo, {.port = first.port()}); }), HasSubstr("already in use"));
}

}  // namespace
}  // namespace orthant::serve
