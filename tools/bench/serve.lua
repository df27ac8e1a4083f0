-- The random requests of wrk: tiles of one zoom level, pages of a box, and moves of a row.
local server, kind, count = "cairn", "0", 1
local thread = 0

function setup(t)
  thread = thread + 1
  t:set("seed", thread)
end

function init(args)
  server, kind, count = args[1], args[2], tonumber(args[3] or "1")
  math.randomseed(seed)
end

local tiles = {
  cairn = function(z, x, y) return string.format("/collections/p/tiles/%d/%d/%d.mvt", z, x, y) end,
  tipg = function(z, x, y)
    return string.format("/collections/public.p/tiles/WebMercatorQuad/%d/%d/%d", z, x, y)
  end,
  pygeoapi = function(z, x, y)
    return string.format("/collections/p/tiles/WebMercatorQuad/%d/%d/%d?f=mvt", z, y, x)
  end,
}
local pages = {
  cairn = "/collections/p/items", tipg = "/collections/public.p/items",
  pygeoapi = "/collections/p/items",
}

function request()
  if kind == "page" then
    local x, y = math.random(-170, 160), math.random(-60, 60)
    return wrk.format("GET", string.format(
      "%s?limit=10&f=%s&bbox=%d,%d,%d,%d", pages[server],
      server == "tipg" and "geojson" or "json", x, y, x + 5, y + 5))
  elseif kind == "move" then
    local body = string.format(
      '{"geometry":{"type":"Point","coordinates":[%.4f,%.4f]}}',
      math.random() * 360 - 180, math.random() * 160 - 80)
    return wrk.format("PATCH", "/collections/p/items/" .. math.random(count), {
      ["Content-Type"] = "application/merge-patch+json",
      ["Authorization"] = "Bearer a-token-for-benchmarks"}, body)
  end
  local z = tonumber(kind)
  local side = 2 ^ z
  -- The rows of the quarter of the world where people live.
  local x = math.random(0, side - 1)
  local y = math.random(math.floor(side / 4), math.max(0, math.ceil(side * 3 / 4) - 1))
  return wrk.format("GET", tiles[server](z, x, y), {["Accept-Encoding"] = "gzip"})
end
