package mbtiles

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"

	"tileserver/archive"
)

// layout is how tables have tiles. The specification lets tiles be a view, but a view of a file from anybody may
// compute without end. So the tables below the usual views are read.
type layout struct {
	tables []string // each has to be there
	tiles  string   // the table of positions
	from   string   // tables of positions and contents
}

func layouts() []layout {
	return []layout{
		{tables: []string{"tiles"}, tiles: "tiles", from: "tiles"},
		{tables: []string{"map", "images"}, tiles: "map", from: "map JOIN images ON images.tile_id = map.tile_id"},
		{tables: []string{"tiles_with_hash"}, tiles: "tiles_with_hash", from: "tiles_with_hash"},
		{
			tables: []string{"tiles_shallow", "tiles_data"}, tiles: "tiles_shallow",
			from: "tiles_shallow JOIN tiles_data ON tiles_data.tile_data_id = tiles_shallow.tile_data_id",
		},
	}
}

// query returns the query of a tile: whether its content may be read, and the content if so. SQLite knows type
// and size of a value without reading it.
func (l layout) query() string {
	return "SELECT " + isFit + ", CASE WHEN " + isFit + " THEN tile_data END FROM " + l.from +
		" WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1"
}

const isFit = "(typeof(tile_data) = 'blob' AND length(tile_data) BETWEEN 1 AND ?)"

// layoutIn returns the layout of a database.
func layoutIn(ctx context.Context, database *sql.DB) (layout, error) {
	for _, l := range layouts() {
		hasAll := true
		for _, table := range l.tables {
			has, err := hasTable(ctx, database, table)
			if err != nil {
				return layout{}, err
			}
			hasAll = hasAll && has
		}
		if hasAll {
			return l, nil
		}
	}
	return layout{}, fmt.Errorf("%w: there is no table of tiles", ErrCorrupt)
}

// hasTable reports whether there is a table, and not a view or one that a module makes. A table whose columns
// are computed is ErrCorrupt: an expression may take hours, and SQLite cannot be stopped within a function.
func hasTable(ctx context.Context, database *sql.DB, name string) (has bool, err error) {
	const isStored = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0)"
	if err = database.QueryRowContext(ctx, isStored, name).Scan(&has); err != nil || !has {
		return false, err
	}
	const computes = "SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 0)"
	var isComputed bool
	if err = database.QueryRowContext(ctx, computes, name).Scan(&isComputed); err == nil && isComputed {
		err = fmt.Errorf("%w: columns of table %s are computed", ErrCorrupt, name)
	}
	return err == nil, err
}

// describe returns the description of a database.
func describe(ctx context.Context, database *sql.DB, l layout) (archive.Description, error) {
	metadata, err := readMetadata(ctx, database)
	if err != nil {
		return archive.Description{}, err
	}
	d := descriptionOf(metadata)
	for name, zoom := range map[string]*uint8{"min": &d.MinZoom, "max": &d.MaxZoom} {
		number, err := strconv.ParseFloat(metadata[name+"zoom"], 64)
		if err != nil { // it is missing, as in old files
			var found sql.NullFloat64
			if err := database.QueryRowContext(ctx, "SELECT "+name+"(zoom_level) FROM "+l.tiles).Scan(&found); err != nil {
				return d, err
			}
			number = found.Float64
		}
		*zoom = archive.NearestZoom(number)
	}
	return d, nil
}

// maxTextBytes bounds a value of metadata. Longer ones are ignored.
const maxTextBytes = 64 << 10

func readMetadata(ctx context.Context, database *sql.DB) (map[string]string, error) {
	if has, err := hasTable(ctx, database, "metadata"); !has {
		return nil, err
	}
	names := []string{"name", "format", "bounds", "center", "minzoom", "maxzoom", "type", "attribution", "description", "version"}
	rows, err := database.QueryContext(ctx, "SELECT name, CAST(value AS TEXT) FROM metadata WHERE length(CAST(value AS BLOB)) <= ? LIMIT 1000", maxTextBytes)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	metadata := make(map[string]string)
	for rows.Next() {
		var name, value sql.NullString
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		if slices.Contains(names, name.String) {
			metadata[name.String] = value.String
		}
	}
	return metadata, rows.Err()
}
