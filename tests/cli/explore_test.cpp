#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/io/array.h"
#include "orthant/io/npy.h"
#include "tests/serve/client.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Client;
using test::run_orthant;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;

void write_features(const std::string& path, int64_t rows, int64_t cols) {
  Rng rng(3);
  std::vector<float> values(static_cast<size_t>(rows * cols));
  for (float& value : values) value = rng.bernoulli(0.4) ? static_cast<float>(rng.uniform()) : 0;
  io::write_npy(path, io::array_of<float>(values, {rows, cols}));
}

// `orthant explore` in a process of its own, ready to be asked.
class Explorer {
 public:
  explicit Explorer(std::vector<std::string> words) {
    words.insert(words.begin(), {ORTHANT_PROGRAM, "explore", "--quiet"});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int ends[2];
    if (::pipe(ends) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::alarm(120);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    for (char letter = 0; ::read(ends[0], &letter, 1) == 1 && letter != '\n';) line_ += letter;
    ::close(ends[0]);
  }
  ~Explorer() {
    if (child_ > 0) end(SIGKILL);
  }

  const std::string& line() const { return line_; }
  int port() const { return std::stoi(line_.substr(line_.rfind(':') + 1)); }

  Client::Answer ask(const std::string& method, const std::string& target, const std::string& fields = {},
                     const std::string& body = {}) const {
    return test::ask(port(), join(method, " ", target, " HTTP/1.1\r\nHost: localhost\r\n", fields,
                                  "Content-Length: ", body.size(), "\r\n\r\n", body));
  }

  int end(int signal_number) {
    ::kill(child_, signal_number);
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_ = 0;
  std::string line_;
};

class Explore : public testing::Test {
 protected:
  Explore() { write_features(file_, 50, 6); }

  test::TemporaryFolder folder_;
  std::string file_ = folder_ / "e.npy";
};

TEST_F(Explore, PrintsItsAddressAnswersAndStopsWhenAsked) {
  for (const int signal_number : {SIGTERM, SIGINT}) {
    Explorer explorer({file_});
    ASSERT_THAT(explorer.line(), StartsWith("http://127.0.0.1:"));
    EXPECT_THAT(explorer.ask("GET", "/").body, HasSubstr("<!DOCTYPE html>"));
    const Json overview = Json::parse(explorer.ask("GET", "/api/v1/overview").body);
    EXPECT_EQ(overview.at("data").at("items"), 50);
    EXPECT_EQ(explorer.end(signal_number), 0);
  }
}

TEST_F(Explore, ServesTwoFilesAndCompares) {
  const std::string other = folder_ / "f.npy";
  write_features(other, 50, 4);
  const Explorer explorer({file_, other});
  EXPECT_EQ(Json::parse(explorer.ask("GET", "/api/v1/overview").body).at("runs").size(), 2u);
  EXPECT_EQ(Json::parse(explorer.ask("GET", "/api/v1/compare?a=0&b=1").body).at("pairs").size(), 4u);
  EXPECT_EQ(explorer.ask("GET", "/api/v1/runs/2/features").status, 404);
}

TEST_F(Explore, NamesOutliveTheServer) {
  {
    Explorer explorer({file_});
    const auto answer = explorer.ask("PUT", "/api/v1/runs/0/features/2/label", {}, R"({"name":"wheels","note":"n"})");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(explorer.end(SIGTERM), 0);
  }
  EXPECT_THAT(test::read_bytes(file_ + ".names.json"), HasSubstr("wheels"));
  const Explorer again({file_});
  EXPECT_THAT(again.ask("GET", "/api/v1/runs/0/features/2").body, HasSubstr("\"name\":\"wheels\""));
}

TEST_F(Explore, ForeignPagesAreTurnedAway) {
  const Explorer explorer({file_});
  const auto foreign = test::ask(explorer.port(), "GET /api/v1/overview HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(foreign.status, 403);
  EXPECT_THAT(foreign.body, StartsWith("{\"error\":"));
  const auto origin = explorer.ask("PUT", "/api/v1/runs/0/features/2/label", "Origin: http://evil.example\r\n",
                                   R"({"name":"x","note":""})");
  EXPECT_EQ(origin.status, 403);
  EXPECT_FALSE(std::filesystem::exists(file_ + ".names.json"));
}

TEST_F(Explore, OtherAddressesNeedAToken) {
  const Explorer made({file_, "--listen", "0.0.0.0"});
  ASSERT_THAT(made.line(), HasSubstr("/?token="));
  EXPECT_EQ(made.ask("GET", "/").status, 403);
  const std::string token = made.line().substr(made.line().find("token=") + 6);
  const auto page = made.ask("GET", "/?token=" + token);
  EXPECT_EQ(page.status, 200);
  ASSERT_THAT(page.head, HasSubstr("Set-Cookie: orthant_"));
  const size_t at = page.head.find("orthant_");
  const std::string cookie = page.head.substr(at, page.head.find(';', at) - at);
  EXPECT_EQ(made.ask("GET", "/api/v1/overview", "Cookie: " + cookie + "\r\n").status, 200);
  EXPECT_EQ(made.ask("GET", "/api/v1/overview", "Authorization: Bearer " + token + "\r\n").status, 200);
  EXPECT_EQ(made.ask("GET", "/api/v1/overview", "Authorization: Bearer 0" + token + "\r\n").status, 403);
}

TEST_F(Explore, HostileRequestsLeaveItRunning) {
  Explorer explorer({file_});
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02"), std::string("GET"), std::string(100'000, 'A'), std::string("\r\n\r\n"),
        std::string("GET  HTTP/1.1\r\n\r\n"), std::string("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("GET /%2e%2e/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("GET /api/v1/runs/0/items?limit=1e99&offset=-1&class=%ff HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("POST /api/v1/runs/0/embed HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n\x89PNG"),
        std::string(
            "PUT /api/v1/runs/0/features/1/label HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n{\"a")}) {
    Client client(explorer.port());
    client.send(bytes);
  }
  EXPECT_EQ(explorer.ask("GET", "/%2e%2e/etc/passwd").status, 404);
  EXPECT_THAT(explorer.ask("DELETE", "/api/v1/overview").head, HasSubstr("Allow: GET, HEAD\r\n"));
  EXPECT_EQ(explorer.ask("GET", "/api/v1/overview").status, 200);
  EXPECT_EQ(explorer.end(SIGTERM), 0);
}

TEST_F(Explore, SaysWhatIsWrong) {
  EXPECT_THAT(run_orthant({"explore", file_, "--token", "short"}).errors, HasSubstr("[--token] expected 16 to 256"));
  EXPECT_THAT(run_orthant({"explore", file_, "--listen", "192.0.2.1"}).errors,
              HasSubstr("[192.0.2.1 port 0] expected to listen there"));
  EXPECT_EQ(run_orthant({"explore", file_, "--port", "70000"}).code, 2);
  for (const char* pixels : {"0", "-1", "100000001", "many"}) {
    EXPECT_EQ(run_orthant({"explore", file_, "--max-pixels", pixels}).code, 2) << pixels;
  }
  EXPECT_EQ(run_orthant({"explore"}).code, 2);
}

}  // namespace
}  // namespace orthant
