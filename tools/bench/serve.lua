-- The random requests of wrk: tiles of one zoom level and pages of a box, at places of the data.
local server, class, kind
local targets = {}
local thread = 0

function setup(t)
  thread = thread + 1
  t:set("seed", thread)
end

function init(args)
  local file = args[1]
  server, class, kind = args[2], args[3], args[4]
  for line in io.lines(file) do
    local x, y = line:match("(%S+) (%S+)")
    targets[#targets + 1] = {tonumber(x), tonumber(y)}
  end
  math.randomseed(seed)
end

local tiles = {
  cairn = function(z, x, y) return string.format("/collections/%s/tiles/%d/%d/%d.mvt", class, z, x, y) end,
  tipg = function(z, x, y)
    return string.format("/collections/public.%s/tiles/WebMercatorQuad/%d/%d/%d", class, z, x, y)
  end,
  pygeoapi = function(z, x, y)
    return string.format("/collections/%s/tiles/WebMercatorQuad/%d/%d/%d?f=mvt", class, z, y, x)
  end,
}

function request()
  local place = targets[math.random(#targets)]
  if kind == "page" then
    local x, y = place[1], place[2]
    return wrk.format("GET", string.format(
      "/collections/%s%s/items?limit=10&f=%s&bbox=%.4f,%.4f,%.4f,%.4f",
      server == "tipg" and "public." or "", class, server == "tipg" and "geojson" or "json",
      math.max(x - 0.5, -180), y - 0.5, math.min(x + 0.5, 180), y + 0.5))
  end
  local z = tonumber(kind)
  local side, lat = 2 ^ z, math.rad(place[2])
  local x = math.floor((place[1] + 180) / 360 * side)
  local y = math.floor((1 - math.log(math.tan(lat) + 1 / math.cos(lat)) / math.pi) / 2 * side)
  return wrk.format("GET", tiles[server](z, math.min(x, side - 1), y), {["Accept-Encoding"] = "gzip"})
end
