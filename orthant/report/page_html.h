#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orthant::report {

// The page of web/ as one HTML file, compiled into the library (cmake/Page.cmake). It needs nothing from the network.

// The template: ASCII, with a strict Content-Security-Policy for a file on disk and the marker <!--orthant:data-->
// where a report has its data. The functions below are what callers want. A zero byte follows, which the size leaves
// out.
extern const char kPageHtml[];
extern const std::size_t kPageHtmlSize;

// The page of a report: the template with `data` in its place, as <script id="orthant-data" type="application/json">.
// `data` is JSON in which every '<' is written \u003c; it is not checked here.
std::string report_page_html(std::string_view data);

// The page that `orthant explore` serves: without data, and without the file's policy, because the server sends this
// one as its Content-Security-Policy header (requests to the server itself, the page's own script by its hash, no
// other).
std::string live_page_html();
extern const char kLivePolicy[];

}  // namespace orthant::report
