// Renders a Helm chart like `helm template NAME CHART --values FILE`, for machines without Helm: Go's templates with
// the functions of Sprig and those that Helm adds. Usage: template CHART NAME [VALUES.json]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Helm reads YAML as JSON, so every number is a float64.
func read(path string) object {
	text, err := os.ReadFile(path)
	check(err)
	var parsed object
	check(yaml.Unmarshal(text, &parsed))
	encoded, err := json.Marshal(parsed)
	check(err)
	var values object
	check(json.Unmarshal(encoded, &values))
	return values
}

func merge(base object, over object) object {
	for name, value := range over {
		inner, isObject := value.(object)
		existing, wasObject := base[name].(object)
		if isObject && wasObject {
			base[name] = merge(existing, inner)
		} else {
			base[name] = value
		}
	}
	return base
}

func main() {
	chart, release := os.Args[1], os.Args[2]
	values := read(filepath.Join(chart, "values.yaml"))
	if len(os.Args) > 3 {
		values = merge(values, read(os.Args[3]))
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["fail"] = func(message string) (string, error) { return "", errors.New(message) }
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	info := read(filepath.Join(chart, "Chart.yaml"))
	data := object{
		"Values":  values,
		"Release": object{"Name": release, "Namespace": "default", "Service": "Helm"},
		"Chart":   object{"Name": info["name"], "Version": info["version"], "AppVersion": info["appVersion"]},
	}
	for _, path := range paths {
		if name := filepath.Base(path); strings.HasSuffix(name, ".yaml") {
			var text bytes.Buffer
			check(all.ExecuteTemplate(&text, name, data))
			fmt.Printf("---\n%s\n", text.String())
		}
	}
}
