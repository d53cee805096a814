package config

// referenceIntro begins the reference of the configuration.
const referenceIntro = `# Configuration

<!-- Written by "go test ./cmd/tileserver -update" from the table of settings. Do not edit. -->

` + "`tileserver serve --config my.yaml`" + ` reads its settings from a YAML file. Every key may be left out. Most keys of the top level
are options of the command line as well, with dashes in place of underscores: ` + "`in_flight: 1GiB`" + ` is ` + "`--in-flight 1GiB`" + `. Options
override the file. Files and folders on the command line are served beside those that the file names. "tileserver help config"
lists the keys.

A minimal configuration:

` + "```yaml" + `
listen: 0.0.0.0:8080
cache: 4GiB
paths:
  - /srv/rasters            # every raster in this folder and below becomes a layer
layers:
  - path: /srv/dem.tif      # one layer with a look of its own
    title: Heights above sea
    colormap_name: terrain
    rescale: ["0,3000"]
` + "```" + `

Relative paths start from the folder of the configuration file. An unknown key is an error that names the nearest known key;
all mistakes are reported at once, each with its line. Bands that a file lacks, and files that cannot be read, are reported
when the file is opened.

SIGHUP (` + "`systemctl reload`" + `) reads the file again while the server runs. A file with mistakes changes nothing. Keys marked * take
effect after a restart only; the log names them if they were changed.

Sizes are bytes or have a unit: ` + "`kB`, `MB`, `GB`, `TB`" + ` (powers of 1000), ` + "`KiB`, `MiB`, `GiB`, `TiB`" + ` (powers of 1024),
in capitals or small letters. Durations have units too: ` + "`500ms`, `10s`, `1m30s`, `2h`" + `.
`

const aboutServiceKeys = "`service` describes the server in WMTS, OGC API and other documents. All of it may be left out."

const aboutAllowKeys = "`allow` bounds what strangers may ask of the server. By default that is everything. At the top level it holds for all layers;\n" +
	"an entry of `layers` or `paths` may have its own, whose keys replace those of the top level one by one. Other requests are\n" +
	"answered with 403, and documents do not offer what is refused. See [access](access.md)."

const aboutPathKeys = "Each entry of `paths` is a file or a folder, or has these keys."

const aboutLayerKeys = "Each entry of `layers` is a layer that differs from what its file suggests. Its file must exist when the server starts.\n" +
	"A file that is also found in one of the `paths` is not served twice. A layer takes the keys below and those of\n" +
	"[how it looks](#how-it-looks), which apply when a request names no style."

const aboutStyleKeys = "Styles are selected by name: `style=ndvi`. Those at the top level belong to every layer that can be shown in them,\n" +
	"those of a layer to that layer. An entry takes the keys below and those of [how it looks](#how-it-looks). A style takes\n" +
	"`nodata`, `resampling` and `background` from its layer unless it says otherwise.\n\n" + exampleOfStyles

const exampleOfStyles = "```yaml" + `
styles:
  - name: ndvi
    title: Vegetation index
    expression: (nir-red)/(nir+red)
    rescale: ["-0.2,0.6"]
    colormap_name: rdylgn
` + "```"

const aboutLookKeys = "Layers and styles share these keys. Requests have parameters of the same names, and so has `tileserver render`."

// referenceEnd ends the reference.
const referenceEnd = `
## Tile matrix sets

The tile matrix sets that the OGC has registered are built in. ` + "`tile_matrix_sets`" + ` adds others: documents of the standard Two
Dimensional Tile Matrix Set 2.0, as files in JSON or YAML, or in place.

` + "```yaml" + `
tile_matrix_sets:
  - grid.json
  - id: ExampleGrid
    title: Grid of the example
    crs: http://www.opengis.net/def/crs/EPSG/0/25832
    orderedAxes: [E, N]
    tileMatrices:
      - {id: "0", scaleDenominator: 1000000, cellSize: 280, pointOfOrigin: [200000, 6200000],
         tileWidth: 256, tileHeight: 256, matrixWidth: 10, matrixHeight: 14}
` + "```" + `

## Environment

| variable | meaning |
|---|---|
| ` + "`TILESERVER_SIGNING_KEYS`" + ` | keys of signed addresses, if ` + "`signing_keys`" + ` names no file: ` + "`ID:SECRET`" + `, with spaces between several |
| ` + "`AWS_…`, `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_…`" + ` | credentials of buckets, as the clouds' own programs read them; see [remote files](remote-files.md#credentials) |
| ` + "`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`" + ` | proxy for web servers and buckets |
| ` + "`STATE_DIRECTORY`" + ` | default of ` + "`state`" + `; systemd sets it where a unit has ` + "`StateDirectory=`" + ` |
| ` + "`GOMAXPROCS`" + ` | cores that ` + "`workers`" + ` defaults to, and threads that run; by default the cores of the machine or the container, and half as many more threads |
| ` + "`GOMEMLIMIT`" + ` | memory above which the process collects garbage harder, and a limit that the budgets must fit into; by default, ` + "`cache`, `in_flight`, `rendering` and `sending`" + ` and 68 MiB together, and what the files of ` + "`grids` and `dem`" + ` take |
| ` + "`GOGC`" + ` | how much garbage may gather, in percent; by default, as much as is in memory, up to about 96 MiB, or a tenth of what is in memory if that is more |
`
