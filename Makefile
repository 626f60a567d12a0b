# The commands of the README. Everything is built by CMake; this file only names the ways in.
.PHONY: setup build run test test-full bench bench-peers format clean
.DEFAULT_GOAL := build

setup:
	@tools/setup

build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target abut_cli

run: build
	build/abut run scenes/tumbling_box.yaml -o out/tumbling_box --csv

test: setup
	tools/test quick

test-full: setup
	tools/test full

bench: setup
	bench/run

bench-peers: setup
	bench/peers/run

format:
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-* out
