// Command epsggen writes the EPSG extract that package geo embeds. It reads PROJ's database with
// the sqlite3 program. A developer runs it when the registry has changed. Neither is needed to
// build or to test.
//
//	go run ./geo/epsggen -db /usr/share/proj/proj.db -out geo/internal/epsg/epsg.tsv.gz
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
)

func main() {
	path := flag.String("db", "/usr/share/proj/proj.db", "PROJ's database")
	out := flag.String("out", "geo/internal/epsg/epsg.tsv.gz", "the extract to write")
	flag.Parse()
	if err := run(*path, *out); err != nil {
		log.Fatal(err)
	}
}

func run(path, out string) error {
	r, err := read(database(path))
	if err != nil {
		return err
	}
	text := write(r)
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zip.Write(text); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	fmt.Printf("%d systems, %d bytes of text, %d packed\n", len(r.geographic)+len(r.projected)+len(r.compound), len(text), packed.Len())
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// database is the path of proj.db.
type database string

// query decodes the rows of a statement into a slice of structs with json tags.
func (d database) query(statement string, rows any) error {
	command := exec.Command("sqlite3", "-readonly", "-json", string(d), statement)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("sqlite3 %s: %w", statement, err)
	}
	if len(bytes.TrimSpace(output)) == 0 {
		return nil
	}
	if err := json.Unmarshal(output, rows); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
