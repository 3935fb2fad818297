-- The requests that wrk sends in the load campaign: loads like a browser's, each for another user.
-- The argument after `--` is the number of the first user in millions.

local countries = { "SE", "NO", "DK", "DE", "FR", "ES", "IT", "PL" }
local plans = { "free", "team" }
local headers = {
  ["Accept"] = "*/*",
  ["Accept-Encoding"] = "gzip, br",
  ["Content-Type"] = "text/plain;charset=UTF-8",
  ["Origin"] = "https://shop.example",
}
local user, head = 0, ""

-- All bodies have the same length, so that the head is built only once.
local function body(number)
  local id = string.format("user-%09d", number)
  local country, plan = countries[number % #countries + 1], plans[number % #plans + 1]
  return string.format(
    '{"user":{"id":"%s","attributes":{"country":"%s","plan":"%s","email":"%s@example.com","age":%d,"beta":true}}}',
    id, country, plan, id, 20 + number % 60
  )
end

function init(args)
  user = tonumber(args[1]) * 1000000
  local first = wrk.format("POST", nil, headers, body(user))
  head = first:sub(1, #first - #body(user))
end

function request()
  user = user + 1
  return head .. body(user)
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%.6f,"failed":%d,"bytes":%d,"p50":%.3f,"p99":%.3f}',
    summary.requests, summary.duration / 1e6, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    summary.bytes, latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
