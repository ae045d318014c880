-- Sends the requests of a file in turn. Each thread has its share of them, and starts again at the end of it.
--
-- The file has one request a line: method, path, headers as name=value separated by "|", and body, separated by
-- tabs. Its path is the script's only argument. WRK_THINK_MILLISECONDS is the mean time before a connection sends again.

local threads = 0

function setup(thread)
    thread:set("first", threads)
    threads = threads + 1
    thread:set("step", tonumber(os.getenv("WRK_THREADS")))
end

local requests = {}
-- Where NUMBER begins and ends in a request; nil: nowhere.
local places = {}
local last = 0

function init(args)
    local number = 0
    for line in io.lines(args[1]) do
        if number % step == first then
            local method, path, fields, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
            local headers = {}
            for name, value in fields:gmatch("([^=|]+)=([^|]*)") do
                headers[name] = value
            end
            local text = wrk.format(method, path, headers, body ~= "" and body or nil)
            requests[#requests + 1] = text
            local from, to = text:find("NUMBER", 1, true)
            if from then
                places[#requests] = { from, to }
            end
        end
        number = number + 1
    end
end

-- The first NUMBER of a request stands for a number that no other request has, of no other thread and no other run.
local run = os.time() * 100
local number = 0

function request()
    last = last % #requests + 1
    local text = requests[last]
    local place = places[last]
    if not place then
        return text
    end
    number = number + 1
    return text:sub(1, place[1] - 1) .. (run + first) .. "-" .. number .. text:sub(place[2] + 1)
end

local think = tonumber(os.getenv("WRK_THINK_MILLISECONDS") or "0")

if think > 0 then
    -- Random, so that connections do not send together.
    function delay()
        return math.random(0, 2 * think)
    end
end
